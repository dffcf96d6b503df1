import { ToolError } from '../../index.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { decodings } from './decodings.ts';
import type { CompiledInput, Target } from '../inputs.ts';
import type { HttpRequest, Operation, PlaceIn } from '../operation.ts';
import {
  refusedValue,
  scalarText,
  writePathValue,
  writeQueryValue,
  writeSimpleValue,
  type BodyForm,
  type ParameterForm,
  type RequestForms,
} from './parameter-forms.ts';
import { readFile, writeMultipart, type WrittenBody } from './write-files.ts';
import { compileRouteCheck, type RouteTemplate, type WrittenSegment } from '../other-routes.ts';

/**
 * Compiles how the arguments of an operation become a request.
 * @param routes all that the server answers: a value must not lead to another one of them
 */
export function compileRequest(
  { method, path, headers }: Pick<Operation, 'method' | 'path' | 'headers'>,
  input: CompiledInput,
  forms: RequestForms = {},
  routes: readonly RouteTemplate[] = [],
): (args: PlainObject) => HttpRequest {
  const segments = path.split('/');
  const findOther = compileRouteCheck({ method, path }, routes);
  const places = [...input.targets.values()].flat();
  const known = places.flatMap((place) => (place.in === 'query' ? [place.name.toLowerCase()] : []));
  return (args) => {
    const values = placeValues(args, input);
    const parts = segments.flatMap((segment) => writeSegment(segment, values.path, input, forms));
    const other = findOther(parts);
    if (other !== undefined) {
      const isOmitted = !values.path.has(other);
      throw refusedValue(
        fieldFor(other, input),
        isOmitted ? 'without it, the path is that of another route' : 'this value leads to another route',
      );
    }
    const written = parts.map(({ text }) => text).join('/');
    const query = writeQuery(values.query, forms, known);
    const body = writeBody(values, args, input, forms.body);
    const further = parts.reduce((sum, { text }) => sum + text.split('/').length - 1, 0);
    return Object.freeze({
      method,
      path: `${checkedPath(written === '' ? '/' : written, segments.length + further)}${query === '' ? '' : `?${query}`}`,
      headers: Object.freeze({
        ...writeHeaders(values.header, forms),
        ...writeCookies(values.cookie, forms),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': body.mediaType }),
      }),
      body: body?.content,
    });
  };
}

type Values = Readonly<Record<PlaceIn, Map<string, unknown>>>;

function placeValues(args: PlainObject, { targets, further }: CompiledInput): Values {
  const values: Values = {
    path: new Map(),
    query: new Map(),
    header: new Map(),
    cookie: new Map(),
    body: new Map(),
  };
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
  forms: RequestForms,
): readonly WrittenSegment[] {
  const optional = /^\{([^}?]+)\?\}$/.exec(segment)?.[1];
  if (optional !== undefined && !values.has(optional)) return [];
  const text = segment.replace(/\{([^}?]+)\??\}/g, (_whole, name: string) => {
    const form = forms.parameters?.get(`path ${name}`) ?? SIMPLE;
    const field = fieldFor(name, input);
    const encode = (part: string): string =>
      form.isMultiSegment === true
        ? part
            .split('/')
            .map((each) => encodePathText(field, each))
            .join('/')
        : encodePathText(field, part);
    return writePathValue(name, values.get(name), form, encode);
  });
  return [{ template: segment, text }];
}

const SIMPLE: ParameterForm = { style: 'simple', isExploded: false };

/** The field whose value has a name in the path. */
function fieldFor(name: string, { targets }: CompiledInput): string {
  const isPlaced = (place: Target): boolean => place.in === 'path' && place.name === name;
  return [...targets].find(([, places]) => places.some(isPlaced))?.[0] ?? name;
}

/** Texts that servers and proxies take for a way to another place, also where they decode several times. */
function encodePathText(field: string, text: string): string {
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
  // Servers for Java leave out what stands behind a semicolon
  return /[\p{Cc}\\]/u.test(text) || text.split('/').some((part) => /^\.\.?(;|$)/.test(part));
}

/** Whatever happened before: a path stays where its template is. */
function checkedPath(path: string, segments: number): string {
  const { pathname, origin } = new URL(path, 'http://in.process');
  if (origin !== 'http://in.process' || pathname !== path || pathname.split('/').length > segments) {
    throw new ToolError('VALIDATION_FAILED', 'the values lead to another path than that of the action');
  }
  return path;
}

function writeQuery(
  values: ReadonlyMap<string, unknown>,
  { names, falseTexts, parameters }: RequestForms,
  known: readonly string[],
): string {
  const pairs = [...values].flatMap(([name, value]) => {
    const form = parameters?.get(`query ${name}`);
    if (form !== undefined && value !== null) {
      const encode = (text: string): string =>
        form.keepsReserved === true ? keepReserved(encodeText(name, text)) : encodeText(name, text);
      refuseOtherNames(name, value, form, known);
      return writeQueryValue(name, value, form, { encode, encodeName });
    }
    return queryPairs(names?.get(name) ?? name, value, falseTexts?.get(name)).map(
      ([key, text]) => `${encodeName(key)}=${encodeText(key, text)}`,
    );
  });
  return pairs.join('&');
}

// `&`, `=`, `+` and `#` would end the value
const RESERVED = /%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g;

function keepReserved(text: string): string {
  return text.replace(RESERVED, (escape) => decodeURIComponent(escape));
}

type Pair = readonly [name: string, text: string];

function queryPairs(name: string, value: unknown, falseText: string | undefined): readonly Pair[] {
  if (value === null) return [];
  if (value === false && falseText !== undefined) return [[name, falseText]];
  if (Array.isArray(value)) return value.map((item) => [name, scalarText(item)] as const);
  if (typeof value !== 'object') return [[name, scalarText(value)]];
  return Object.entries(value).flatMap(([key, item]) => queryPairs(`${name}[${key}]`, item, undefined));
}

/** The members of an exploded object are parameters of their own, and would say what another one says, or what is hidden. */
function refuseOtherNames(
  name: string,
  value: unknown,
  { style, isExploded, isJson = false }: ParameterForm,
  known: readonly string[],
): void {
  if (!isExploded || isJson || style === 'deepObject' || !isPlainObject(value)) return;
  const taken = Object.keys(value).find((key) => key !== name && known.includes(key.toLowerCase()));
  if (taken !== undefined) throw refusedValue(`${name}.${taken}`, 'is the name of another parameter');
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

function writeHeaders(
  values: ReadonlyMap<string, unknown>,
  { parameters }: RequestForms,
): Record<string, string> {
  // Not an object literal: a header may be called __proto__
  const headers = new Map<string, string>();
  for (const [name, value] of values) {
    if (value === null) continue;
    const form = parameters?.get(`header ${name}`);
    const text = form === undefined ? scalarText(value) : writeSimpleValue(value, form);
    // What is beyond Latin-1 or ends a line would be another header, or none
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) throw refusedValue(name, 'a header cannot carry this value');
    headers.set(name.toLowerCase(), text);
  }
  return Object.fromEntries(headers);
}

/** One header for all of them (RFC 6265, 5.4). */
function writeCookies(
  values: ReadonlyMap<string, unknown>,
  { parameters }: RequestForms,
): Record<string, string> {
  const pairs = [...values].flatMap(([name, value]) => {
    if (value === null) return [];
    const text = writeSimpleValue(value, parameters?.get(`cookie ${name}`) ?? SIMPLE);
    return [`${name}=${encodeText(name, text)}`];
  });
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
}

const JSON_BODY: BodyForm = { kind: 'json', mediaType: 'application/json' };

function writeBody(
  { body }: Values,
  args: PlainObject,
  { wholeBody, hasBody }: CompiledInput,
  form: BodyForm = JSON_BODY,
): WrittenBody | undefined {
  if (wholeBody === undefined && !hasBody) return undefined;
  // Not an object literal: a field may be called __proto__
  const value = wholeBody === undefined ? (Object.fromEntries(body) as unknown) : args[wholeBody];
  if (value === undefined) return undefined;
  const { kind, mediaType } = form;
  if (kind === 'multipart') return writeMultipart(value as PlainObject, form);
  if (kind === 'bytes') return { content: readFile(wholeBody ?? 'body', value), mediaType };
  if (kind === 'text') return { content: scalarText(value), mediaType };
  return { content: kind === 'form' ? writeForm(value) : JSON.stringify(value), mediaType };
}

/** As a page sends it; a member that is an object is JSON (OpenAPI 3.1, 4.8.15, Encoding Object). */
function writeForm(value: unknown): string {
  const pairs = Object.entries(value as PlainObject).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member])
      .filter((item) => item !== null && item !== undefined)
      .map((item) => `${encodeText(name, name)}=${encodeText(name, scalarText(item))}`),
  );
  return pairs.join('&').replaceAll('%20', '+');
}
