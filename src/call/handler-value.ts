import { deepFreeze } from '../shared/deep-freeze.ts';
import { isInjected } from '../shared/injected.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { encodeToon } from '../shared/toon.ts';
import type { ResultFormat } from './action-options.ts';
import { copyData } from './data-copy.ts';
import type { CheckOutcome } from './issue.ts';
import type { CallToolResult, ContentBlock } from './results.ts';

// Hidden brands, because a business object may well have a `content` array, or a `type` and a `text`, of its own.
const RESULT = Symbol.for('toolwright:result');
const BLOCK = Symbol.for('toolwright:content-block');
/** The data that the text of a result is JSON of. */
const DATA = Symbol.for('toolwright:result-data');
const MADE = Object.freeze({ value: true });

/** How a value becomes a text. `compact` is JSON as clients get it: the indent would cost them 74 % more tokens. */
export type TextForm = ResultFormat | 'compact';

/** The form for clients on the other side of a transport. */
export function wireForm(format: ResultFormat): TextForm {
  return format === 'json' ? 'compact' : format;
}

/** The text of a value that says nothing. */
export const NOTHING_TO_SAY = 'OK';

/**
 * Makes of a handler's value the result that it is, and of anything else a text.
 * It throws ToolwrightError TW_RESULT_NOT_DATA for a value that JSON cannot carry (a cycle, a promise, a function).
 */
export function resultConverter(form: TextForm): (value: unknown) => CheckOutcome<CallToolResult> {
  return (value) => ({
    ok: true,
    value: helperResult(value, form) ?? writtenResult(value) ?? oneText(formatValue(value, form)),
  });
}

/** Neither frozen nor branded, which costs as much as the text: most results go to the wire, where nobody sees them. */
function oneText(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** The result of a helper, or one made of its blocks; undefined for plain data. */
export function helperResult(value: unknown, form: TextForm): CallToolResult | undefined {
  if (isHelperResult(value)) return form === 'compact' ? compactResult(value) : value;
  const content = madeBlocks(value);
  return content && brandResult({ content });
}

/** A result written by hand, as JSON carries it: a transport would never answer with what JSON cannot carry. */
export function writtenResult(value: unknown): CallToolResult | undefined {
  return looksLikeResult(value) ? brandResult(jsonView(value) as CallToolResult) : undefined;
}

/** A made result of one text. */
export function textResult(text: string): CallToolResult {
  return brandResult(oneText(text));
}

/** As {@link textResult}, of data as JSON: the result keeps the data, because clients get the JSON without indent. */
export function jsonResult(value: unknown): CallToolResult {
  const result = oneText(formatValue(value));
  if (typeof value === 'object' && value !== null)
    Object.defineProperty(result, DATA, { value: jsonView(value) });
  return brandResult(result);
}

function compactResult(result: CallToolResult & { readonly [DATA]?: unknown }): CallToolResult {
  return DATA in result ? textResult(formatData(result[DATA], 'compact')) : result;
}

/** Marks a result as made by a helper, so that it reaches the client as it is. */
export function brandResult(result: CallToolResult): CallToolResult {
  return deepFreeze(Object.defineProperty(result, RESULT, MADE));
}

/** True for results of the helpers, of every installed copy of the package. */
export function isHelperResult(value: unknown): value is CallToolResult {
  return typeof value === 'object' && value !== null && RESULT in value;
}

/**
 * What is left of a length when a value as JSON is taken off, or less; it stops below 0. A unit of it is six bytes, as one
 * character is at most, with the marks around texts, names and values.
 */
export function lengthLeft(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length - 1;
  if (typeof value !== 'object' || value === null) return length - 5;
  let left = length - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = lengthLeft(value[index], left - 1);
    return left;
  }
  for (const name in value) {
    left = lengthLeft((value as PlainObject)[name], left - name.length - 1);
    if (left < 0) break;
  }
  return left;
}

/** Marks a content block as made by a helper, so that a handler may return it as it is. */
export function brandBlock<T extends Pick<ContentBlock, 'type'>>(block: T): T {
  return deepFreeze(Object.defineProperty(block, BLOCK, MADE));
}

/** True for blocks of the helpers, of every installed copy of the package. */
export function isHelperBlock(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && BLOCK in value;
}

/** The blocks of helpers, one or a list of them; undefined for everything else. */
function madeBlocks(value: unknown): readonly ContentBlock[] | undefined {
  if (isHelperBlock(value)) return [value];
  return Array.isArray(value) && value.length > 0 && value.every(isHelperBlock) ? [...value] : undefined;
}

/**
 * A handler's value as the text of its result.
 * @throws ToolwrightError TW_RESULT_NOT_DATA for a value that JSON cannot carry (a cycle, a promise, a function).
 */
export function formatValue(value: unknown, format: TextForm = 'json'): string {
  if (value === undefined || value === null || value === '') return NOTHING_TO_SAY;
  if (typeof value === 'string') return value;
  // Here alone these say what they are
  if (format === 'text' && (typeof value === 'number' || typeof value === 'bigint')) return String(value);
  return formatData(plainData(value), format);
}

/** As {@link formatValue}, for what {@link jsonView} gave: nobody has to look at it once more. */
export function formatData(data: unknown, format: TextForm = 'json'): string {
  if (data === undefined || data === null || data === '') return NOTHING_TO_SAY;
  if (typeof data === 'string') return data;
  if (format === 'json') return JSON.stringify(data, undefined, 2);
  const json = JSON.stringify(data);
  // TOON is encoded from the JSON view, so that toJSON() counts in every format alike
  return format === 'toon' ? encodeToon(JSON.parse(json)) : json;
}

/** The value as JSON would carry it: what a client receives, and what an output is checked as. */
export function jsonView(value: unknown): unknown {
  const data = plainData(value);
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data));
}

/**
 * What JSON carries of a value: the value itself where JSON loses nothing of it, and otherwise a plain copy.
 * @throws ToolwrightError TW_RESULT_NOT_DATA for what JSON would lose or change without a word.
 */
export function plainData(value: unknown): unknown {
  return isPlain(value, 0) ? value : copyData(value);
}

/** Deeper data may be a cycle, which only the copy looks for. */
const DEEPEST = 32;

function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainContainer(value, depth);
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (depth > DEEPEST) return false;
  if ('toJSON' in value) return isValidDate(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index], depth + 1)) return false;
    return true;
  }
  const isOfClass = Object.getPrototypeOf(value) !== Object.prototype;
  if (isOfClass && mayBeForeign(value)) return false;
  let isEmpty = true;
  for (const name in value) {
    if (!isPlain((value as PlainObject)[name], depth + 1)) return false;
    isEmpty = false;
  }
  // What is iterated says so under a symbol, which JSON does not read
  return !isEmpty || (!isOfClass && !(Symbol.asyncIterator in value));
}

/** Whether an object has what promises, errors, collections, streams or bodies have, or was injected: a closer look says. */
function mayBeForeign(value: object): boolean {
  return (
    'then' in value ||
    'stack' in value ||
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    'pipe' in value ||
    'arrayBuffer' in value ||
    isInjected(value)
  );
}

function isValidDate(value: object): boolean {
  return value instanceof Date && Number.isFinite(value.getTime()) && value.toJSON === Date.prototype.toJSON;
}

const RESULT_KEYS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Members that each kind of content block must have as strings (spec: server/tools, Tool Result). */
const BLOCK_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
  ['resource', []],
]);

/**
 * True for an unbranded object that can only be a call result: no other keys, and valid content.
 * Anything else with a `content` array is data of the handler.
 */
function looksLikeResult(value: unknown): boolean {
  if (!isPlainObject(value) || !Array.isArray(value['content'])) return false;
  const keys = Object.keys(value);
  // `{ content: [] }` is the empty page of somebody's article
  if (value['content'].length === 0 && keys.length === 1) return false;
  return (
    keys.every((key) => RESULT_KEYS.has(key)) &&
    hasResultTypes(value) &&
    value['content'].every(isContentBlock)
  );
}

function hasResultTypes({ isError, structuredContent, _meta }: PlainObject): boolean {
  return (
    (isError === undefined || typeof isError === 'boolean') &&
    (structuredContent === undefined || isPlainObject(structuredContent)) &&
    (_meta === undefined || isPlainObject(_meta))
  );
}

/** True for an object that has what its kind of content block needs. */
export function isContentBlock(block: unknown): block is ContentBlock {
  if (!isPlainObject(block)) return false;
  const members = BLOCK_MEMBERS.get(block['type']);
  if (members === undefined || !members.every((member) => typeof block[member] === 'string')) return false;
  return block['type'] !== 'resource' || isEmbeddedResource(block['resource']);
}

function isEmbeddedResource(resource: unknown): boolean {
  if (!isPlainObject(resource) || typeof resource['uri'] !== 'string') return false;
  return typeof resource['text'] === 'string' || typeof resource['blob'] === 'string';
}
