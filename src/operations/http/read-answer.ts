import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import {
  audio,
  content,
  image,
  structured,
  success,
  ToolError,
  type CallToolResult,
  type ContentBlock,
} from '../../index.ts';
import { isPlainObject, parseJson } from '../../shared/json.ts';
import { encodeToon } from '../../shared/toon.ts';
import type { HttpAnswer, Operation } from '../operation.ts';
import type { OperationSettings } from '../settings.ts';

const MAX_ERROR_LENGTH = 2_000;
const MAX_ISSUES = 20;
const MAX_TYPE_LENGTH = 100;
/** A shorter text is part of too many others. */
const MIN_SECRET_LENGTH = 6;

/** What becomes of the value of an answer. */
export interface AnswerReading {
  /** What stays of it. */
  readonly fields?: readonly string[] | undefined;
  /** What the call wants of that. */
  readonly chosen?: readonly string[] | undefined;
  /** How the next page is asked for; undefined where there is none. */
  readonly findNext?: (value: unknown) => string | undefined;
  readonly result?: OperationSettings['result'];
  /** Whether the action declares an output. */
  readonly isStructured?: boolean;
  /** Whether the API is another server: then who is refused is this one, and not its caller. */
  readonly isElsewhere?: boolean;
  /** What an error must not repeat: the credentials that were sent. */
  readonly secrets?: readonly string[] | undefined;
}

/** What a handler gives for an answer. @throws ToolError for an answer that is an error */
export function readAnswer(
  answer: HttpAnswer,
  { method }: Pick<Operation, 'method'>,
  reading: AnswerReading = {},
): unknown {
  const { status } = answer;
  if (status >= 400) throw errorFor(answer, reading);
  if (status >= 300) throw unreadable(status, 'it leads to another address, which is not followed');
  if (status === 204 || status === 205 || answer.body.length === 0)
    return success(withoutSecrets(emptyText(answer, method), reading));
  const value = readBody(answer);
  const { fields, chosen } = reading;
  const allowed = fields === undefined ? value : keepFields(value, fields, status);
  const kept = chosen === undefined ? allowed : chooseFields(allowed, chosen, method, status);
  return isBlocks(kept) ? kept : withLine(kept, lineFor(answer, value, reading), reading);
}

/** What comes after the value: where the work goes on, or the next page. */
function lineFor(answer: HttpAnswer, value: unknown, reading: AnswerReading): string | undefined {
  const { findNext } = reading;
  const place = header(answer, 'location');
  if (answer.status === 202 && place !== undefined) return `Accepted: ${withoutSecrets(place, reading)}`;
  const next = typeof value === 'string' ? undefined : findNext?.(value);
  return next === undefined ? undefined : `Next page: ${next}`;
}

function withLine(
  value: unknown,
  line: string | undefined,
  { result, isStructured }: AnswerReading,
): unknown {
  if (line === undefined) return value;
  const json = result === 'toon' ? encodeToon(value) : JSON.stringify(value);
  const text = typeof value === 'string' ? value : json;
  return isStructured === true ? structured(value, `${text}\n${line}`) : content(text, line);
}

function emptyText(answer: HttpAnswer, method: string): string {
  const place = header(answer, 'location');
  if (place === undefined || (answer.status !== 201 && answer.status !== 202)) return 'OK';
  return `${answer.status === 202 ? 'Accepted' : method === 'POST' ? 'Created' : 'OK'}: ${place}`;
}

function isBlocks(value: unknown): value is CallToolResult {
  return isPlainObject(value) && Array.isArray(value['content']) && BLOCKS.has(value);
}

/** Results that hold blocks: values of an API may look like them. */
const BLOCKS = new WeakSet<object>();

function readBody(answer: HttpAnswer): unknown {
  const { body, status } = answer;
  const type = mediaType(answer);
  if (/^application\/(json|[\w.+-]+\+json)$/.test(type)) {
    const value = parseJson(decodeBody(answer));
    if (value === undefined) throw unreadable(status, 'it says that it is JSON, and is not');
    return value;
  }
  if (type === '' || /^text\/|^application\/(xml|[\w.+-]+\+xml|x-ndjson|yaml)$/.test(type)) {
    return decodeBody(answer);
  }
  const block = blockFor(type, Buffer.from(body).toString('base64'));
  if (block === undefined)
    throw unreadable(status, `it is ${type.slice(0, MAX_TYPE_LENGTH)}, which a result cannot show`);
  const result = content(block);
  BLOCKS.add(result);
  return result;
}

function blockFor(type: string, data: string): ContentBlock | undefined {
  if (type.startsWith('image/')) return image(data, type);
  return type.startsWith('audio/') ? audio(data, type) : undefined;
}

/** Whether paths of names can select in a value; null has nothing to select. */
function hasFields(value: unknown): boolean {
  if (isBlocks(value)) return false;
  return Array.isArray(value) ? value.every(isRecord) : isRecord(value);
}

function isRecord(value: unknown): boolean {
  return value === null || isPlainObject(value);
}

/** What stays of a value: paths of names, through lists. */
function keepFields(value: unknown, fields: readonly string[], status: number): unknown {
  if (!hasFields(value)) {
    throw unreadable(status, 'fields keep parts of an object, or of objects in a list, and it is neither');
  }
  return pick(
    value,
    fields.map((field) => field.split('.')),
  );
}

/** As {@link keepFields}, for paths that a model has written. What a write has done stays done, whatever it asks for. */
function chooseFields(value: unknown, chosen: readonly string[], method: string, status: number): unknown {
  const rows = [value].flat().filter(isPlainObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const unknown = chosen.filter((path) => !names.includes(path.split('.', 1)[0] ?? ''));
  if (method === 'GET' && rows.length > 0 && unknown.length > 0) {
    const message = `not in the answer: ${unknown.join(', ')}; known are ${names.slice(0, MAX_ISSUES).join(', ')}`;
    throw new ToolError('VALIDATION_FAILED', `fields: ${cut(message)}`, {
      details: { issues: [{ path: 'fields', message: cut(message) }] },
    });
  }
  return hasFields(value) ? keepFields(value, chosen, status) : value;
}

function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) {
    return value.map((item) => pick(item, paths)).filter((item) => item !== undefined);
  }
  // A path that goes on asks for a part, and not for the whole
  if (!isPlainObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const inner = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (inner.length === 0) return [];
    const part = inner.some((path) => path.length === 0) ? item : pick(item, inner);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(kept) as unknown;
}

function unreadable(status: number, why: string): ToolError {
  return new ToolError('UPSTREAM_ANSWER', `${String(status)} the answer cannot be used: ${why}`, {
    details: { status },
  });
}

const CODES: Readonly<Record<number, string>> = {
  400: 'VALIDATION_FAILED',
  422: 'VALIDATION_FAILED',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  410: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'CONFLICT',
  428: 'CONFLICT',
  429: 'RATE_LIMITED',
  502: 'UPSTREAM_UNAVAILABLE',
  503: 'UPSTREAM_UNAVAILABLE',
  504: 'UPSTREAM_UNAVAILABLE',
};

function errorFor(answer: HttpAnswer, reading: AnswerReading): ToolError {
  const { status } = answer;
  const isElsewhere = reading.isElsewhere === true;
  const own = isElsewhere && (status === 401 || status === 403) ? undefined : CODES[status];
  const code = own ?? (status >= 500 ? 'UPSTREAM_FAILED' : 'UPSTREAM_REFUSED');
  // What a failing server says may be about its insides
  const told = status >= 500 ? 'the application failed' : cut(withoutSecrets(bodyText(answer), reading));
  const retryAfter = retryDelay(answer);
  const issues = status === 400 || status === 422 ? issuesIn(answer, reading) : [];
  return new ToolError(code, `${String(status)} ${told}`, {
    details: { status, ...(issues.length === 0 ? {} : { issues }) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** What an error says for people. The rest of its body may be data, so without such a text the status has to do. */
function bodyText(answer: HttpAnswer): string {
  const value = jsonIn(answer);
  const isText = /^text\/plain|^$/.test(mediaType(answer));
  const plain = value === undefined && isText ? decodeBody(answer).trim() : '';
  // A list at the top is rows, and not messages
  const told = Array.isArray(value) ? undefined : messageIn(value);
  const text = plain === '' ? told : plain;
  return `${text ?? STATUS_CODES[answer.status] ?? 'refused'}${codeIn(value)}`;
}

const MAX_MESSAGE_DEPTH = 3;

/** The text in `{ message }`, `{ error: { message } }` or a list of such. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth === MAX_MESSAGE_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const texts = value.flatMap((item) => messageIn(item, depth + 1) ?? []);
    return texts.length === 0 ? undefined : texts.join('; ');
  }
  if (!isPlainObject(value)) return undefined;
  const texts = ['message', 'detail', 'title', 'error'].map((name) => messageIn(value[name], depth + 1));
  return texts.find((text) => text !== undefined);
}

/** A code of the application helps: `{ message: 'already closed', code: 'TASK_CLOSED' }`. */
function codeIn(value: unknown): string {
  const code = isPlainObject(value) ? value['code'] : undefined;
  return typeof code === 'string' || typeof code === 'number' ? ` (${String(code)})` : '';
}

/** An API may repeat a key that it refuses, and a model has no business with it. */
function withoutSecrets(text: string, { secrets = [] }: AnswerReading): string {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
  return long.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
}

function cut(text: string): string {
  return text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH)}…` : text;
}

/** The issues in Nest's `message: string[]`, or in `errors` of RFC 9457. */
function issuesIn(
  answer: HttpAnswer,
  reading: AnswerReading,
): readonly { readonly path: string; readonly message: string }[] {
  const value = jsonIn(answer);
  if (!isPlainObject(value)) return [];
  const { message, errors } = value;
  const listed = Array.isArray(message) ? message : Array.isArray(errors) ? errors : [];
  const said = (text: string): string => cut(withoutSecrets(text, reading));
  return listed.slice(0, MAX_ISSUES).flatMap((item: unknown) => {
    if (typeof item === 'string') return [{ path: said(item.split(' ', 1)[0] ?? ''), message: said(item) }];
    if (!isPlainObject(item)) return [];
    const { detail, pointer = '', message: told = detail } = item;
    return typeof told === 'string' ? [{ path: said(String(pointer)), message: said(told) }] : [];
  });
}

function jsonIn(answer: HttpAnswer): unknown {
  return /json$/.test(mediaType(answer)) ? parseJson(decodeBody(answer)) : undefined;
}

/** In the charset that the answer names, else in UTF-8, without a byte order mark. */
function decodeBody(answer: HttpAnswer): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w:.-]+)/i.exec(header(answer, 'content-type') ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(answer.body);
  } catch {
    // No charset that is known
    return new TextDecoder().decode(answer.body);
  }
}

function mediaType(answer: HttpAnswer): string {
  return (header(answer, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function header({ headers }: HttpAnswer, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Seconds until a retry makes sense. */
function retryDelay(answer: HttpAnswer): number | undefined {
  const given = header(answer, 'retry-after') ?? header(answer, 'ratelimit-reset');
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given.trim())) return Number(given);
  const until = Date.parse(given);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
