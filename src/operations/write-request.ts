import { ToolError } from '../index.ts';
import type { PlainObject } from '../shared/json.ts';
import { decodings } from './decodings.ts';
import type { CompiledInput, Target } from './inputs.ts';
import type { HttpRequest, Operation, PlaceIn } from './operation.ts';
import { compileRouteCheck, type RouteTemplate, type WrittenSegment } from './other-routes.ts';

/** How the values of a query are written where the usual way does not arrive. */
export interface QueryForms {
  /** The name of a list, by its name on the wire: `ids[]`. */
  readonly names?: ReadonlyMap<string, string>;
  /** The text for false, by the name of the field. */
  readonly falseTexts?: ReadonlyMap<string, string>;
}

/**
 * Compiles how the arguments of an operation become a request.
 * @param routes all that the server answers: a value must not lead to another one of them
 */
export function compileRequest(
  { method, path, headers }: Pick<Operation, 'method' | 'path' | 'headers'>,
  input: CompiledInput,
  forms: QueryForms = {},
  routes: readonly RouteTemplate[] = [],
): (args: PlainObject) => HttpRequest {
  const segments = path.split('/');
  const findOther = compileRouteCheck({ method, path }, routes);
  return (args) => {
    const values = placeValues(args, input);
    const parts = segments.flatMap((segment) => writeSegment(segment, values.path, input));
    const other = findOther(parts);
    if (other !== undefined) {
      const isOmitted = !values.path.has(other);
      throw refusedValue(
        fieldFor(other, input),
        isOmitted ? 'without it, the path is that of another route' : 'this value leads to another route',
      );
    }
    const written = parts.map(({ text }) => text).join('/');
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
function writeSegment(
  segment: string,
  values: ReadonlyMap<string, unknown>,
  input: CompiledInput,
): readonly WrittenSegment[] {
  const optional = /^\{([^}?]+)\?\}$/.exec(segment)?.[1];
  if (optional !== undefined && !values.has(optional)) return [];
  const text = segment.replace(/\{([^}?]+)\??\}/g, (_whole, name: string) =>
    encodePathValue(fieldFor(name, input), values.get(name)),
  );
  return [{ template: segment, text }];
}

/** The field whose value has a name in the path. */
function fieldFor(name: string, { targets }: CompiledInput): string {
  const isPlaced = (place: Target): boolean => place.in === 'path' && place.name === name;
  return [...targets].find(([, places]) => places.some(isPlaced))?.[0] ?? name;
}

/** Texts that servers and proxies take for a way to another place, also where they decode several times. */
function encodePathValue(field: string, value: unknown): string {
  const text = scalarText(value);
  if (text === '' || decodings(text).some(leadsElsewhere)) {
    throw refusedValue(field, 'a path cannot carry this value');
  }
  try {
    return encodeURIComponent(text);
  } catch {
    throw refusedValue(field, 'is not well-formed text');
  }
}

function leadsElsewhere(text: string): boolean {
  return /[\p{Cc}\\]/u.test(text) || text.split('/').some((part) => part === '.' || part === '..');
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
