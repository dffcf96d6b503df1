import { isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { isLookupId } from './lookup-id.ts';

/** One thing that is wrong with a request. */
export interface RequestFault {
  /** An RFC 6901 pointer into the request. */
  readonly path: string;
  readonly message: string;
}

/** What is wrong with the value of a member that is there. */
export type FieldCheck = (value: unknown, path: string) => readonly RequestFault[];

const LONGEST_OUTPUT = 10_000;

export const lookupId: FieldCheck = (value, path) =>
  typeof value === 'string' && isLookupId(value)
    ? []
    : [{ path, message: 'must be a text of 1 to 64 letters, digits, "_" or "-"' }];

export const completedSteps: FieldCheck = (value, path) => {
  if (value === null) return [];
  if (!Array.isArray(value)) return [{ path, message: 'must be an array of texts, or null' }];
  return value.flatMap((step: unknown, position) =>
    typeof step === 'string' ? [] : [{ path: pointTo(path, position), message: 'must be a text' }],
  );
};

export const contextObject: FieldCheck = (value, path) =>
  isPlainObject(value) ? [] : [{ path, message: 'must be an object' }];

export const stepOutput: FieldCheck = (value, path) => {
  if (typeof value !== 'string') return [{ path, message: 'must be a text' }];
  if (isAtMost(value, LONGEST_OUTPUT)) return [];
  return [{ path, message: `must have at most ${String(LONGEST_OUTPUT)} characters` }];
};

export const anyText: FieldCheck = (value, path) =>
  typeof value === 'string' ? [] : [{ path, message: 'must be a text' }];

/** Characters are those of Unicode, as in `maxLength` of JSON Schema. */
function isAtMost(text: string, maximum: number): boolean {
  if (text.length <= maximum) return true;
  return text.length <= 2 * maximum && Array.from(text).length <= maximum;
}
