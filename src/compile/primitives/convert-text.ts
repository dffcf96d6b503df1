import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { ResolveInput } from '../../kernel/call/compiled-callable.ts';

type Schema = JsonSchema | boolean;

// RFC 8259, section 6: no leading zeros, no plus, no hexadecimal
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Converts the arguments of prompts and templates, which MCP sends as strings, to what their schemas ask for.
 * Other values, and texts that cannot be converted, stay as they are; validation then reports them.
 */
export function convertTexts(args: PlainObject, fields: ReadonlyMap<string, JsonSchema>): PlainObject {
  // fromEntries defines `__proto__` as a member like any other
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const schema = fields.get(name);
      return [name, typeof value === 'string' && schema !== undefined ? convertText(value, schema) : value];
    }),
  );
}

/** Wraps a check so that string arguments are converted first. */
export function readTexts(fields: ReadonlyMap<string, JsonSchema>): (resolve: ResolveInput) => ResolveInput {
  return (resolve) => (args) => resolve(convertTexts(args, fields));
}

/** Converts one text: `"5"` for an integer, `"True"` for a boolean, `"null"` where null is allowed. */
export function convertText(text: string, schema: Schema): unknown {
  if (admits(schema, text)) return text;
  const reading = readings(text).find((value) => admits(schema, value));
  return reading === undefined ? text : reading;
}

/** The other values that a text may stand for. */
function readings(text: string): readonly unknown[] {
  if (NUMBER.test(text)) return [Number(text)];
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return [word === 'true'];
  return word === 'null' ? [null] : [];
}

/** True when the type and the fixed values of the schema admit the value. */
function admits(schema: Schema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  const { type, const: only, enum: values, allOf = [] } = schema;
  const choices = [schema.anyOf, schema.oneOf].filter((branches) => branches !== undefined);
  return (
    (type === undefined || [type].flat().some((name) => isOfType(value, name))) &&
    (only === undefined || only === value) &&
    (values === undefined || values.includes(value)) &&
    allOf.every((branch) => admits(branch, value)) &&
    choices.every((branches) => branches.some((branch) => admits(branch, value)))
  );
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      // a larger integer would silently be rounded
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
