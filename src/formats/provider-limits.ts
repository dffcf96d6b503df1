import { pointTo } from '../schema/pointer.ts';
import { walkSchema } from '../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';

/** A limit of a provider that a set of tools exceeds. */
export interface ExceededLimit {
  /** What is counted, in words. */
  readonly limit: string;
  /** The largest number that the provider accepts. */
  readonly max: number;
  /** The number in this tool. */
  readonly actual: number;
  /** A pointer into the list of tools; `""` for all of them together. */
  readonly path: string;
}

type Limit = readonly [limit: string, max: number, measure: (measures: SchemaMeasures) => number];

/** Of each schema. Source: OpenAI, Structured Outputs, "supported schemas". */
const OPENAI_STRICT: readonly Limit[] = [
  ['properties in a strict schema', 5000, ({ properties }) => properties],
  ['levels of a strict schema', 10, ({ levels }) => levels],
  ['enum values in a strict schema', 1000, ({ enumValues }) => enumValues],
  ['characters of names and enum values in a strict schema', 120_000, ({ characters }) => characters],
  ['characters in a string enum of more than 250 values', 15_000, ({ longestEnum }) => longestEnum],
];

/** Of each request. Source: Anthropic, strict tool use, "limits". */
const ANTHROPIC_STRICT: readonly Limit[] = [
  ['optional parameters of all strict tools', 24, ({ optional }) => optional],
  ['union parameters of all strict tools', 16, ({ unions }) => unions],
];
const ANTHROPIC_STRICT_TOOLS = 20;
const GEMINI_DECLARATIONS = 128;

/**
 * Says which limits of a provider the emitted tools of one request exceed. Nothing is enforced: providers change
 * their limits.
 *
 * @param target the adapter that the tools were written with, or a column of the matrix
 * @example
 * const { tools } = defaultRegistry().convertMany([], 'mcp', 'openai', { strict: true });
 * for (const { limit, max, actual, path } of checkLimits(tools, 'openai')) {
 *   console.warn(`${path}: ${actual} ${limit}, at most ${max}`);
 * }
 */
export function checkLimits(tools: readonly unknown[], target: string): readonly ExceededLimit[] {
  if (target.startsWith('openai')) return tools.flatMap(openaiLimits);
  if (target.startsWith('anthropic')) return anthropicLimits(tools);
  return target.startsWith('gemini') ? geminiLimits(tools) : [];
}

function openaiLimits(tool: unknown, position: number): readonly ExceededLimit[] {
  const nested = isPlainObject(tool) ? tool.function : undefined;
  const declared = isPlainObject(nested) ? nested : tool;
  if (!isPlainObject(declared) || declared.strict !== true) return [];
  return exceeded(OPENAI_STRICT, [measureSchema(declared.parameters)], pointTo('', position));
}

function anthropicLimits(tools: readonly unknown[]): readonly ExceededLimit[] {
  const strict = tools.filter((tool): tool is PlainObject => isPlainObject(tool) && tool.strict === true);
  const measures = strict.map((tool) => measureSchema(tool.input_schema));
  return [
    ...above('strict tools', ANTHROPIC_STRICT_TOOLS, strict.length),
    ...exceeded(ANTHROPIC_STRICT, measures, ''),
  ];
}

function geminiLimits(tools: readonly unknown[]): readonly ExceededLimit[] {
  const counts = tools.map((tool) => {
    const declarations = isPlainObject(tool) ? tool.functionDeclarations : undefined;
    return Array.isArray(declarations) ? declarations.length : 1;
  });
  const sum = counts.reduce((total, count) => total + count, 0);
  return above('function declarations', GEMINI_DECLARATIONS, sum);
}

function exceeded(
  limits: readonly Limit[],
  measures: readonly SchemaMeasures[],
  path: string,
): readonly ExceededLimit[] {
  return limits.flatMap(([limit, max, measure]) => {
    const actual = measures.reduce((sum, each) => sum + measure(each), 0);
    return above(limit, max, actual, path);
  });
}

function above(limit: string, max: number, actual: number, path = ''): readonly ExceededLimit[] {
  return actual > max ? [{ limit, max, actual, path }] : [];
}

/** What the limits of providers count in one emitted schema. */
interface SchemaMeasures {
  readonly properties: number;
  /** Objects inside each other. */
  readonly levels: number;
  readonly enumValues: number;
  /** Of the names of properties and definitions, and of listed values. */
  readonly characters: number;
  /** The characters of the longest enum with more than 250 texts; 0 without one. */
  readonly longestEnum: number;
  readonly optional: number;
  readonly unions: number;
}

/** An enum with more values than this has a limit of its own. */
const LARGE_ENUM = 250;

function measureSchema(schema: unknown): SchemaMeasures {
  const places = [...walkSchema(schema)];
  const nodes = places.map((place) => place.schema).filter(isPlainObject);
  const names = nodes.flatMap((node) => namesOf(node.properties));
  const definitions = nodes.flatMap((node) => namesOf(node.$defs));
  const enums = nodes.map(({ enum: listed }): readonly unknown[] => (Array.isArray(listed) ? listed : []));
  const constants = nodes.filter((node) => Object.hasOwn(node, 'const')).map((node) => node.const);
  const large = enums.filter((listed) => listed.length > LARGE_ENUM).map(charactersOf);
  return {
    properties: names.length,
    levels: Math.max(
      0,
      ...places.filter((place) => isObjectNode(place.schema)).map(({ path }) => levelOf(path)),
    ),
    enumValues: enums.flat().length,
    characters: charactersOf([...names, ...definitions, ...enums.flat(), ...constants]),
    longestEnum: Math.max(0, ...large),
    optional: nodes.reduce((sum, node) => sum + optionalIn(node), 0),
    unions: nodes.filter(({ anyOf, type }) => Array.isArray(anyOf) || Array.isArray(type)).length,
  };
}

function namesOf(holder: unknown): readonly string[] {
  return isPlainObject(holder) ? Object.keys(holder) : [];
}

function isObjectNode(schema: PlainObject | boolean): boolean {
  return isPlainObject(schema) && isPlainObject(schema.properties);
}

/** One level for the object itself, and one for each it is a property of. */
function levelOf(path: string): number {
  return 1 + path.split('/properties/').length - 1;
}

function charactersOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

function optionalIn({ properties, required }: PlainObject): number {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return namesOf(properties).filter((name) => !needed.has(name)).length;
}
