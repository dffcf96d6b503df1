import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { CanonicalTool } from '../../canonical/canonical-tool.ts';
import { copyJson } from '../../canonical/copy-json.ts';

const PREFIX = 'toolwright/';

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isRequirements = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => isPlainObject(each) && Object.values(each).every(isTexts));

/** The fields that MCP has no member for, and what they have to look like to be taken from a `_meta`. */
const FIELDS = {
  namespace: isText,
  version: isText,
  summary: isText,
  category: isText,
  tags: isTexts,
  inputModes: isTexts,
  outputModes: isTexts,
  examples: Array.isArray,
  deterministic: isFlag,
  streaming: isFlag,
  uiHints: isPlainObject,
  securitySchemes: (value: unknown) => isPlainObject(value) && Object.values(value).every(isPlainObject),
  securityRequirements: isRequirements,
  requiredScopes: isTexts,
  timeoutMs: isNumber,
} as const satisfies Readonly<Partial<Record<keyof CanonicalTool, (value: unknown) => boolean>>>;

type MetaField = keyof typeof FIELDS;

/** The canonical fields in a `_meta`, and the members that belong to others. */
export function splitMeta(meta: PlainObject): {
  readonly fields: Pick<CanonicalTool, MetaField>;
  readonly others: PlainObject;
} {
  const entries = Object.entries(meta);
  const isField = ([key, value]: readonly [string, unknown]): boolean => {
    const field = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';
    return Object.hasOwn(FIELDS, field) && FIELDS[field as MetaField](value);
  };
  const fields = entries.filter(isField).map(([key, value]) => [key.slice(PREFIX.length), value] as const);
  return {
    fields: Object.fromEntries(fields),
    others: Object.fromEntries(entries.filter((entry) => !isField(entry))),
  };
}

/** The canonical fields as members of a `_meta`. */
export function metaOf(tool: CanonicalTool): PlainObject {
  const names = Object.keys(FIELDS) as MetaField[];
  const present = names.filter((name) => tool[name] !== undefined);
  return copyJson(Object.fromEntries(present.map((name) => [`${PREFIX}${name}`, tool[name]])));
}
