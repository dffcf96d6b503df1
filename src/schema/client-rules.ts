import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { pointTo } from './pointer.ts';
import { walkSchema } from './subschemas.ts';

/** What a known client or API of a model does not take. */
export type ClientRule =
  | 'tool-name'
  | 'root-not-object'
  | 'root-union'
  | 'boolean-schema'
  | 'property-name'
  | 'untyped'
  | 'array-without-items'
  | 'refused-keyword'
  | 'long-description';

/** One thing in a published tool that a known client refuses or cuts. */
export interface ClientFinding {
  readonly rule: ClientRule;
  /** A pointer into the input schema; empty for the tool itself. */
  readonly path: string;
  /** What it is, as the rest of a sentence that begins with the place. */
  readonly what: string;
}

/** The strictest rule that is known for names of tools and keys of properties (Anthropic, Claude Code). */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A longer description of a tool or a field is reported to be refused (Gemini). */
const MAX_DESCRIPTION_LENGTH = 1024;
/** Claude Code reads so much of the description of a tool, and of instructions (code.claude.com/docs/en/mcp). */
export const MAX_READ_LENGTH = 2048;

/** With one of these at the root, APIs of models refuse the whole request, and OpenAI also `not` and values. */
export const REFUSED_AT_ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'] as const;
/** Keywords that clients refuse when they check schemas. */
const REFUSED: Readonly<Record<string, string>> = {
  definitions: 'is not a keyword of 2020-12',
  dependencies: 'is not a keyword of 2020-12',
  additionalItems: 'is not a keyword of 2020-12',
  nullable: 'is not a keyword of 2020-12',
  $schema: 'is refused by some clients, and 2020-12 is meant without it',
};
/** Keywords that say of which type a value is, or lead to what does. */
const TYPING = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'];

/** A tool as far as clients are known to refuse it. */
export interface JudgedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** What known clients refuse or cut of a published tool: such a client leaves out the tool, or all tools of the server. */
export function refusedByClients({
  name,
  description = '',
  inputSchema: schema,
}: JudgedTool): readonly ClientFinding[] {
  const findings: ClientFinding[] = [...longDescription(description, '')];
  if (!NAME.test(name)) {
    findings.push({ rule: 'tool-name', path: '', what: describeName(name) });
  }
  if (!isPlainObject(schema)) return findings;
  if (schema['type'] !== 'object')
    findings.push({ rule: 'root-not-object', path: '', what: 'does not say type: "object"' });
  const unions = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  if (unions.length > 0)
    findings.push({ rule: 'root-union', path: '', what: `has ${unions.join(', ')} at its root` });
  for (const { schema: one, path } of walkSchema(schema)) {
    if (isPlainObject(one)) findings.push(...findingsIn(one, path));
  }
  return findings;
}

/** @param path empty for the tool itself */
function longDescription(description: unknown, path: string): readonly ClientFinding[] {
  if (typeof description !== 'string' || description.length <= MAX_DESCRIPTION_LENGTH) return [];
  const isCut = path === '' && description.length > MAX_READ_LENGTH;
  const known = isCut ? `${String(MAX_READ_LENGTH)} are read` : `${String(MAX_DESCRIPTION_LENGTH)} are taken`;
  const what = `has a description of ${String(description.length)} characters, and ${known}`;
  return [{ rule: 'long-description', path, what }];
}

function describeName(name: string): string {
  return name.length > 64
    ? `is a name of ${String(name.length)} characters, and 64 are taken`
    : 'has other characters than letters from A to Z, digits, "_", "-" and "."';
}

function findingsIn(schema: PlainObject, path: string): readonly ClientFinding[] {
  const { properties } = schema;
  const findings = [...longDescription(schema['description'], path)];
  for (const [name, property] of Object.entries(isPlainObject(properties) ? properties : {})) {
    const place = pointTo(path, 'properties', name);
    if (!NAME.test(name)) findings.push({ rule: 'property-name', path: place, what: describeName(name) });
    if (typeof property === 'boolean')
      findings.push({ rule: 'boolean-schema', path: place, what: 'is a boolean in the place of a schema' });
    else if (isPlainObject(property) && !isTyped(property))
      findings.push({ rule: 'untyped', path: place, what: 'is published without a type' });
  }
  if (isArray(schema) && !Object.hasOwn(schema, 'items'))
    findings.push({ rule: 'array-without-items', path, what: 'is an array without items' });
  for (const [keyword, what] of Object.entries(REFUSED)) {
    if (Object.hasOwn(schema, keyword))
      findings.push({ rule: 'refused-keyword', path: pointTo(path, keyword), what });
  }
  return findings;
}

function isArray({ type }: PlainObject): boolean {
  return [type].flat().includes('array');
}

function isTyped(schema: PlainObject): boolean {
  return TYPING.some((keyword) => Object.hasOwn(schema, keyword));
}
