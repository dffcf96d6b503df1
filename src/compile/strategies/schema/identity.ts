import { isPlainObject } from '../../../shared/json.ts';

/** A text that is equal for deeply equal values, whatever the order of their keys. */
export function identityOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`;
  if (value === undefined) return 'undefined';
  if (!isPlainObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${identityOf(member)}`).join(',')}}`;
}
