import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { FetchFunction } from '../operations/http/fetch-carrier.ts';
import { thrownMessage } from '../call/thrown-message.ts';
import { exceededLimit } from '../schema/limits.ts';
import { isPlainObject, parseJson, type PlainObject } from '../shared/json.ts';
import { readBody } from '../shared/read-body.ts';

/** Where a document is: a file, its value, what makes it, or a URL. */
export type OpenApiSource =
  | string
  | Readonly<Record<string, unknown>>
  | (() => object | Promise<object>)
  | {
      /** It is fetched once, at the start. */
      readonly url: string;
    };

/** A document whose form is that of OpenAPI 3. */
export interface OpenApiDocument {
  readonly root: PlainObject;
  /** The URLs of `servers`, where the document may say where its API is: it is a file of the user. */
  readonly servers: readonly string[];
}

const MAX_BYTES = 32 * 1024 * 1024;
const LIMITS = { bytes: MAX_BYTES, depth: 256, nodes: 2_000_000 };
const MAX_ALIASES = 100;
const MAX_OPERATIONS = 10_000;
const FETCH_TIMEOUT = 30_000;
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'query', 'head', 'options', 'trace']);

/**
 * Reads a document of Swagger 2.0 or OpenAPI 3.0 to 3.2, as JSON or YAML. Nothing that it refers to is read.
 * @throws ToolwrightError TW_OPENAPI_DOCUMENT
 */
export async function readDocument(source: OpenApiSource, fetch: FetchFunction): Promise<OpenApiDocument> {
  const value = await load(source, fetch);
  const excess = exceededLimit(value, LIMITS);
  if (excess !== undefined) throw unreadable(source, excess);
  const root = await asOpenApi3(value, source);
  const paths = root['paths'];
  if (!isPlainObject(paths)) throw unreadable(source, 'has no paths');
  const count = Object.values(paths)
    .filter(isPlainObject)
    .reduce((sum, item) => sum + Object.keys(item).filter((name) => METHODS.has(name)).length, 0);
  if (count > MAX_OPERATIONS) throw unreadable(source, `has more than ${String(MAX_OPERATIONS)} operations`);
  return Object.freeze({ root, servers: typeof source === 'string' ? serversIn(root) : [] });
}

async function load(source: OpenApiSource, fetch: FetchFunction): Promise<unknown> {
  if (typeof source === 'function') return source();
  if (typeof source === 'string') return parse(await readLocal(source), source);
  const { url } = source;
  const isAddress = typeof url === 'string' && Object.keys(source).length === 1;
  return isAddress ? parse(await fetchText(url, fetch), source) : source;
}

async function readLocal(file: string): Promise<string> {
  const bytes = await readFile(resolve(file)).catch((cause: unknown) => {
    throw unreadable(file, `cannot be read: ${thrownMessage(cause)}`);
  });
  if (bytes.length > MAX_BYTES) throw unreadable(file, `has more than ${String(MAX_BYTES)} bytes`);
  return bytes.toString();
}

async function fetchText(url: string, fetch: FetchFunction): Promise<string> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT);
  try {
    const response = await fetch(new Request(url, { redirect: 'error', signal }));
    if (!response.ok) throw new Error(`the answer is ${String(response.status)}`);
    const bytes = await readBody(response.body, MAX_BYTES);
    if (bytes === undefined) throw new Error(`it has more than ${String(MAX_BYTES)} bytes`);
    return Buffer.from(bytes).toString();
  } catch (cause) {
    throw unreadable({ url }, `cannot be fetched: ${thrownMessage(cause)}`);
  }
}

async function parse(text: string, source: OpenApiSource): Promise<unknown> {
  const json = parseJson(text);
  if (json !== undefined) return json;
  const { parse: parseYaml } = await import('../shared/yaml.ts');
  try {
    return parseYaml(text, { maxAliasCount: MAX_ALIASES, schema: 'core', customTags: [] }) as unknown;
  } catch (cause) {
    throw unreadable(source, `is neither JSON nor YAML: ${thrownMessage(cause).split('\n', 1)[0] ?? ''}`);
  }
}

async function asOpenApi3(value: unknown, source: OpenApiSource): Promise<PlainObject> {
  if (!isPlainObject(value)) throw unreadable(source, 'is not an object');
  const { openapi, swagger } = value;
  if (typeof openapi === 'string' && /^3\.[0-2](\.|$)/.test(openapi)) return value;
  if (swagger !== '2.0' && swagger !== 2) {
    throw unreadable(
      source,
      'is neither Swagger 2.0 nor OpenAPI 3.0 to 3.2: it says so in "swagger" or "openapi"',
    );
  }
  const { upgradeFromTwoToThree } = await import('@scalar/openapi-upgrader/2.0-to-3.0');
  try {
    return upgradeFromTwoToThree(structuredClone(value)) as PlainObject;
  } catch (cause) {
    throw unreadable(source, `cannot be read as Swagger 2.0: ${thrownMessage(cause)}`);
  }
}

function serversIn({ servers }: PlainObject): readonly string[] {
  return (Array.isArray(servers) ? servers : []).flatMap((server: unknown) => {
    const url = isPlainObject(server) ? server['url'] : undefined;
    return typeof url === 'string' ? [url] : [];
  });
}

function unreadable(source: OpenApiSource, what: string): ToolwrightError {
  const where =
    typeof source === 'string' ? source : 'url' in source ? String(source.url) : 'option document';
  return new ToolwrightError('TW_OPENAPI_DOCUMENT', {
    where,
    what: `${what}.`,
    fix: 'give a document of Swagger 2.0 or OpenAPI 3.0 to 3.2, as JSON or YAML',
  });
}
