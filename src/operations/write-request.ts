import { ToolError } from '../index.ts';
import type { PlainObject } from '../shared/json.ts';
import type { CompiledInput } from './inputs.ts';
import type { HttpRequest, Operation, PlaceIn } from './operation.ts';

/** How the values of a query are written where the usual way does not arrive. */
export interface QueryForms {
  /** The name of a list, by its name on the wire: `ids[]`. */
  readonly names?: ReadonlyMap<string, string>;
  /** The text for false, by the name of the field. */
  readonly falseTexts?: ReadonlyMap<string, string>;
}

/** Compiles how the arguments of an operation become a request. */
export function compileRequest(
  { method, path, headers }: Pick<Operation, 'method' | 'path' | 'headers'>,
  input: CompiledInput,
  forms: QueryForms = {},
): (args: PlainObject) => HttpRequest {
  const segments = path.split('/');
  return (args) => {
    const values = placeValues(args, input);
    const written = segments.flatMap((segment) => writeSegment(segment, values.path)).join('/');
    const query = writeQuery(values.query, forms);
    const body = writeBody(values, args, input);
    return Object.freeze({
      method,
      path: `${checkedPath(written === '' ? '/' : written, segments.length)}${query === '' ? '' : `?${query}`}`,
      headers: Object.freeze({
        ...writeHeaders(values.header),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }),
      body,
    });
  };
}

type Values = Readonly<Record<PlaceIn, Map<string, unknown>>>;

function placeValues(args: PlainObject, { targets, further }: CompiledInput): Values {
  const values: Values = { path: new Map(), query: new Map(), header: new Map(), body: new Map() };
  for (const [field, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const places = targets.get(field) ?? (further === undefined ? [] : [{ in: further, name: field }]);
    for (const place of places) values[place.in].set(place.name, value);
  }
  return values;
}

/** An optional value at the end of a path may be missing; then its segment is. */
function writeSegment(segment: string, values: ReadonlyMap<string, unknown>): readonly string[] {
  const optional = /^\{([^}?]+)\?\}$/.exec(segment)?.[1];
  if (optional !== undefined && !values.has(optional)) return [];
  return [
    segment.replace(/\{([^}?]+)\??\}/g, (_whole, name: string) => encodePathValue(name, values.get(name))),
  ];
}

/** Texts that servers and proxies take for a way to another place, also where they decode several times. */
function encodePathValue(name: string, value: unknown): string {
  const text = scalarText(value);
  let decoded = text;
  for (let round = 0; round < 3; round += 1) {
    if (text === '' || decoded === '.' || decoded === '..' || /[\p{Cc}\\]/u.test(decoded)) {
      throw refusedValue(name, 'a path cannot carry this value');
    }
    decoded = decodedOnce(decoded);
  }
  if (decoded === '.' || decoded === '..') throw refusedValue(name, 'a path cannot carry this value');
  try {
    return encodeURIComponent(text);
  } catch {
    throw refusedValue(name, 'is not well-formed text');
  }
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whatever happened before: a path stays where its template is. */
function checkedPath(path: string, segments: number): string {
  const { pathname, origin } = new URL(path, 'http://in.process');
  if (origin !== 'http://in.process' || pathname !== path || pathname.split('/').length > segments) {
    throw new ToolError('VALIDATION_FAILED', 'the values lead to another path than that of the action');
  }
  return path;
}

function writeQuery(values: ReadonlyMap<string, unknown>, { names, falseTexts }: QueryForms): string {
  const pairs = [...values].flatMap(([name, value]) =>
    queryPairs(names?.get(name) ?? name, value, falseTexts?.get(name)),
  );
  return pairs.map(([name, text]) => `${encodeName(name)}=${encodeText(name, text)}`).join('&');
}

type Pair = readonly [name: string, text: string];

function queryPairs(name: string, value: unknown, falseText: string | undefined): readonly Pair[] {
  if (value === null) return [];
  if (value === false && falseText !== undefined) return [[name, falseText]];
  if (Array.isArray(value)) return value.map((item) => [name, scalarText(item)] as const);
  if (typeof value !== 'object') return [[name, scalarText(value)]];
  return Object.entries(value).flatMap(([key, item]) => queryPairs(`${name}[${key}]`, item, undefined));
}

// Parsers of queries know brackets in names, and some know them only as they are
function encodeName(name: string): string {
  return encodeText(name, name).replaceAll('%5B', '[').replaceAll('%5D', ']');
}

function encodeText(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw refusedValue(name, 'is not well-formed text');
  }
}

function writeHeaders(values: ReadonlyMap<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of values) {
    if (value === null) continue;
    const text = scalarText(value);
    // What is beyond Latin-1 or ends a line would be another header, or none
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) throw refusedValue(name, 'a header cannot carry this value');
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

function writeBody({ body }: Values, args: PlainObject, input: CompiledInput): string | undefined {
  const { wholeBody, hasBody } = input;
  if (wholeBody !== undefined)
    return args[wholeBody] === undefined ? undefined : JSON.stringify(args[wholeBody]);
  if (!hasBody) return undefined;
  // Not an object literal: a field may be called __proto__
  return JSON.stringify(Object.fromEntries(body));
}

function scalarText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function refusedValue(field: string, message: string): ToolError {
  return new ToolError('VALIDATION_FAILED', `${field}: ${message}`, {
    details: { issues: [{ path: field, message }] },
  });
}
