import { pointTo } from '../../schema/pointer.ts';
import { mapSubschemas, type RawSchema } from '../../schema/subschemas.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { CanonicalTool } from '../canonical/canonical-tool.ts';
import { Conversion } from '../errors.ts';
import { geminiJson, geminiOpenApi } from '../rewrite/targets.ts';
import { createAdapter } from './create-adapter.ts';
import type { FormatAdapter } from './format-adapter.ts';
import { readObject, type Reading } from './reading.ts';
import { defined, describeTool, NOT_FOR_MODELS, type Writing } from './writing.ts';

/** Function declarations of the Gemini API. */
export const geminiAdapter: FormatAdapter = createAdapter({
  name: 'gemini',
  names: {
    rule: { forbidden: /[^A-Za-z0-9_.:-]/u, forbiddenFirst: /^[^A-Za-z_]/u, maxLength: 64 },
    qualifies: true,
  },
  target: ({ schema }) => (schema === 'parameters' ? geminiOpenApi : geminiJson),
  read: readGemini,
  write: writeGemini,
});

const LIST = 'functionDeclarations';

/** Reads a Gemini tool with one declaration, or a bare declaration. */
function readGemini(reading: Reading): CanonicalTool {
  const declarations = reading.items(LIST);
  if (declarations === undefined) return readDeclaration(reading, {});
  const [only, ...more] = declarations;
  if (more.length > 0) {
    const what = `the tool has ${String(declarations.length)} declarations, not one.`;
    reading.conversion.fail('MULTIPLE_DECLARATIONS', pointTo('', LIST), what);
  }
  if (only === undefined) {
    return reading.conversion.fail('INVALID_INPUT', pointTo('', LIST), 'the tool has no declaration.');
  }
  return readDeclaration(only, reading.others);
}

/**
 * One tool for each declaration of a Gemini tool.
 *
 * @example
 * const tools = splitDeclarations({ functionDeclarations: [{ name: 'read' }, { name: 'write' }] });
 * const canonical = tools.map((tool) => defaultRegistry().get('gemini').toCanonical(tool));
 * @throws ConversionError for anything but a Gemini tool
 */
export function splitDeclarations(raw: unknown): readonly PlainObject[] {
  const reading = readObject(new Conversion('gemini', 'toCanonical'), raw);
  const declarations = reading.objects(LIST);
  const { others } = reading;
  return declarations === undefined
    ? [others]
    : declarations.map((declaration) => ({ ...others, [LIST]: [declaration] }));
}

function readDeclaration(reading: Reading, wrapper: PlainObject): CanonicalTool {
  const name = reading.name();
  return defined({
    name,
    inputSchema: readPair(reading, 'parametersJsonSchema', 'parameters') ?? { type: 'object' },
    description: reading.text('description'),
    outputSchema: readPair(reading, 'responseJsonSchema', 'response'),
    source: {
      format: 'gemini',
      extra: { ...reading.others, ...(Object.keys(wrapper).length > 0 && { wrapper }) },
    },
  });
}

function readPair(reading: Reading, json: string, openApi: string): RawSchema | undefined {
  if (reading.has(json) && reading.has(openApi)) {
    const what = `${json} and ${openApi} exclude each other.`;
    reading.conversion.fail('INVALID_INPUT', reading.pointTo(openApi), what);
  }
  if (reading.has(json)) return reading.schema(json);
  const schema = reading.has(openApi) ? reading.schema(openApi) : undefined;
  return schema === undefined ? undefined : fromOpenApi(schema);
}

function writeGemini(writing: Writing): PlainObject {
  const { wrapper, strict: _strict, ...extra } = writing.extra();
  const isOpenApi = writing.target === geminiOpenApi;
  const input = parametersOf(writing);
  const output = writing.output();
  writing.lose([...NOT_FOR_MODELS, 'examples']);
  const declaration = {
    name: writing.name,
    ...describeTool(writing),
    ...(input !== undefined &&
      (isOpenApi ? { parameters: toOpenApi(input) } : { parametersJsonSchema: input })),
    ...(output !== undefined &&
      (isOpenApi ? { response: toOpenApi(output) } : { responseJsonSchema: output })),
    ...extra,
  };
  return copyJson({ functionDeclarations: [declaration], ...(isPlainObject(wrapper) && wrapper) });
}

/** Keywords that express nothing on their own. */
const SILENT = new Set(['type', 'properties', 'required', 'additionalProperties', '$defs']);

/** Gemini takes no object without properties: a function without arguments has no parameters at all. */
function parametersOf(writing: Writing): PlainObject | undefined {
  const schema = writing.input();
  const { properties, additionalProperties } = schema;
  if (isPlainObject(properties) && Object.keys(properties).length > 0) return schema;
  const more = Object.keys(schema).filter((keyword) => !SILENT.has(keyword));
  const isMap = isPlainObject(additionalProperties);
  const hasAlternatives = ['anyOf', 'oneOf', 'allOf'].some((keyword) => more.includes(keyword));
  // Of the OpenAPI form neither is left here: alternatives are united, and the values of a map have no schema
  if (isMap || hasAlternatives) return schema;
  for (const keyword of more) {
    const outcome = `${keyword} was removed with the schema, which names no property.`;
    writing.losses.report({ feature: keyword, path: `/inputSchema/${keyword}`, action: 'dropped', outcome });
  }
  return undefined;
}

/** The schema of a `parameters` field as JSON Schema. It is within the limits already. */
function fromOpenApi(schema: RawSchema): RawSchema {
  if (typeof schema === 'boolean') return schema;
  const entries = Object.entries(mapSubschemas(schema, fromOpenApi)).flatMap(readKeyword);
  return orNull(Object.fromEntries(entries));
}

type Entry = readonly [keyword: string, value: unknown];

function readKeyword([keyword, value]: Entry): readonly Entry[] {
  if (keyword === 'type' && typeof value === 'string') {
    return value === 'TYPE_UNSPECIFIED' ? [] : [[keyword, value.toLowerCase()]];
  }
  if (COUNTS.has(keyword)) return [[keyword, countOf(value)]];
  return [[keyword === 'example' ? 'examples' : keyword, keyword === 'example' ? [value] : value]];
}

/** Counts are 64-bit integers, which the API's JSON has as text. */
function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** `nullable` as JSON Schema. */
function orNull({ nullable, ...node }: PlainObject): PlainObject {
  if (nullable !== true) return node;
  const { type, enum: listed } = node;
  if (typeof type !== 'string') return { anyOf: [node, { type: 'null' }] };
  return {
    ...node,
    type: [type, 'null'],
    ...(Array.isArray(listed) && { enum: listed.includes(null) ? listed : [...(listed as unknown[]), null] }),
  };
}

/** An emitted schema in the spelling of a `parameters` field. */
function toOpenApi(schema: PlainObject): PlainObject {
  const spelled = mapSubschemas(schema, (inner) => (typeof inner === 'boolean' ? inner : toOpenApi(inner)));
  return Object.fromEntries(
    Object.entries(spelled).map(([keyword, value]) => [keyword, spellValue(keyword, value)]),
  );
}

function spellValue(keyword: string, value: unknown): unknown {
  if (keyword === 'type' && typeof value === 'string') return value.toUpperCase();
  return COUNTS.has(keyword) ? String(value) : value;
}

/** Keywords whose numbers Gemini's `Schema` carries as decimal text. */
const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);
