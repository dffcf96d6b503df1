import { unionBranches, schemaAt } from '../../schema/schema-at.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject, parseJson, type PlainObject } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';

/** A part of the command line that sets an argument: `title=Milk`, `owner.name=Ada`. */
interface KeyValue {
  readonly key: string;
  readonly text: string;
}

/**
 * Puts `key=value` over arguments. A text becomes what the schema says: a number only where it wants one, booleans of
 * true/false, yes/no and 1/0, lists and objects of JSON; a key that is repeated makes a list, and a dot reaches into
 * objects. What fits nothing stays a text, and the server says what it expected.
 */
export function applyKeyValues(base: PlainObject, given: readonly string[], schema: JsonSchema): PlainObject {
  const values = new Map<string, string[]>();
  for (const { key, text } of given.map(keyValueOf)) values.set(key, [...(values.get(key) ?? []), text]);
  let result = base;
  for (const [key, texts] of values) {
    const path = pathOf(key, schema);
    const wanted = schemaAt(schema, path);
    result = withValue(result, path, valueOf(texts, wanted, schema), key);
  }
  return result;
}

function keyValueOf(given: string): KeyValue {
  const [, key, text] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (key !== undefined && text !== undefined) return { key, text };
  throw new CliError('TW_CLI_INPUT', {
    where: JSON.stringify(given),
    what: 'is not an argument of the form key=value.',
    fix: `${/^[\w.]+$/.test(given) ? given : 'name'}=value, or --input '{"name":"value"}'`,
  });
}

/** A property whose own name has a dot comes before a path. */
function pathOf(key: string, schema: JsonSchema): readonly string[] {
  if (schemaAt(schema, [key]) !== undefined) return [key];
  return key.split('.');
}

function withValue(base: PlainObject, path: readonly string[], value: unknown, key: string): PlainObject {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return { ...base, [name]: value };
  const inner = base[name] ?? {};
  if (isPlainObject(inner)) return { ...base, [name]: withValue(inner, rest, value, key) };
  throw new CliError('TW_CLI_INPUT', {
    where: key,
    what: `reaches into ${JSON.stringify(name)}, which is not an object in the input.`,
    fix: 'give it as JSON: --input',
  });
}

function valueOf(texts: readonly string[], schema: JsonSchema | undefined, root: JsonSchema): unknown {
  const [text = ''] = texts;
  const kinds = kindsOf(schema, root);
  if (texts.length > 1) return texts.map((each) => itemOf(each, schema, root));
  const list = kinds.has('array') && !kinds.has('string');
  if (list && !text.trimStart().startsWith('[')) return [itemOf(text, schema, root)];
  return scalarOf(text, kinds, schema);
}

function itemOf(text: string, schema: JsonSchema | undefined, root: JsonSchema): unknown {
  const list = branchesOf(schema, root).find(({ items }) => isPlainObject(items));
  const items = list?.items as JsonSchema | undefined;
  return scalarOf(text, kindsOf(items, root), items);
}

const TRUE = /^(true|yes|1)$/i;
const FALSE = /^(false|no|0)$/i;

/** The first reading that the schema allows, or the text itself. */
function scalarOf(text: string, kinds: ReadonlySet<string>, schema: JsonSchema | undefined): unknown {
  if (text === 'null' && kinds.has('null') && !kinds.has('string')) return null;
  const listed = schema?.enum?.find((value) => String(value) === text);
  const readings = [listed, structureOf(text, kinds), numberOf(text, kinds), wordOf(text, kinds)];
  return readings.find((reading) => reading !== undefined) ?? text;
}

function structureOf(text: string, kinds: ReadonlySet<string>): unknown {
  const parsed = kinds.has('array') || kinds.has('object') ? parseJson(text) : undefined;
  if (Array.isArray(parsed)) return kinds.has('array') ? (parsed as unknown) : undefined;
  return isPlainObject(parsed) && kinds.has('object') ? parsed : undefined;
}

/** Where a text is allowed as well, only one that a number would be written as. */
function numberOf(text: string, kinds: ReadonlySet<string>): number | undefined {
  const number = Number(text);
  if (!kinds.has('number') || text.trim() === '' || !Number.isFinite(number)) return undefined;
  return !kinds.has('string') || String(number) === text ? number : undefined;
}

function wordOf(text: string, kinds: ReadonlySet<string>): boolean | undefined {
  if (kinds.has('string') || !kinds.has('boolean')) return undefined;
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : undefined;
}

/** The types that a value may have, `integer` as `number`. */
function kindsOf(schema: JsonSchema | undefined, root: JsonSchema): ReadonlySet<string> {
  const kinds = branchesOf(schema, root).flatMap(({ type, enum: listed, const: only }) => {
    if (type !== undefined) return typeof type === 'string' ? [type] : type;
    return (listed ?? (only === undefined ? [] : [only])).map((value) =>
      value === null ? 'null' : typeof value,
    );
  });
  return new Set(kinds.map((kind) => (kind === 'integer' ? 'number' : kind)));
}

function branchesOf(schema: JsonSchema | undefined, root: JsonSchema): readonly JsonSchema[] {
  if (schema === undefined) return [];
  const branches = unionBranches(root, schema);
  return branches === undefined ? [schema] : branches.flatMap((branch) => branchesOf(branch, root));
}
