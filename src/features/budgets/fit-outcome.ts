import { Buffer } from 'node:buffer';
import { brandResult, lengthLeft } from '../../call/handler-value.ts';
import { MAX_ANSWER_BYTES, MAX_ERROR_RESULT_BYTES } from '../../call/error-budget.ts';
import { cutText } from '../../call/issue.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult, ContentBlock, ResourceContents, ResourceLink } from '../../call/results.ts';
import { ownerOf, subjectKey, subjectOf } from '../../call/subject.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { ScannedBudget } from './budget.ts';
import type { FittedBudget } from './fitting.ts';
import type {} from './call-fields.ts';
import { resultOf, type Outcome, type ResultOutcome } from '../../kernel/call/outcome.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';

/** Makes results smaller that are larger than the budget of their action. */
export const compileFit: CompileStage = (_callable, { bound }) => {
  const fitted = bound['budgets'] as FittedBudget | undefined;
  if (fitted === undefined) return undefined;
  return (next) => (attempt) => {
    const given = next(attempt) as MaybePromise<Outcome>;
    return given instanceof Promise
      ? given.then((made) => fit(made, attempt, fitted))
      : fit(given, attempt, fitted);
  };
};

function fit(outcome: Outcome, attempt: Attempt, fitted: FittedBudget): MaybePromise<Outcome> {
  if (outcome.kind !== 'result' || surelyFits(outcome.value, fitted.sureLength)) return outcome;
  return fitOutcome(outcome, attempt, fitted);
}

/** Whether a result is small enough, whatever JSON makes of its characters: six bytes each at most. */
function surelyFits(value: object, sureLength: number): boolean {
  const isError = (value as CallToolResult).isError === true;
  return lengthLeft(value, isError ? Math.min(sureLength, MAX_ERROR_RESULT_BYTES / 6) : sureLength) >= 0;
}

/** To write a text of fifty megabytes as JSON takes half a second, only to find that it is too large. */
const FAR_TOO_LARGE = 4 * 1024 * 1024;

type Fits = (result: CallToolResult) => boolean;

/**
 * Makes a result that exceeds its budget smaller: fewer elements of its page, else a link to all of it, else less of its
 * text, else an error. What is left always fits the declared output.
 */
async function fitOutcome(
  outcome: ResultOutcome,
  attempt: Attempt,
  fitted: FittedBudget,
): Promise<ResultOutcome> {
  const { call, input } = attempt;
  const result = withoutLongMeta(outcome.value as CallToolResult);
  const budget = budgetFor(result, fitted.budget);
  const fits: Fits = (smaller) => excessOf(smaller, budget) === undefined;
  const excess = excessOf(result, budget);
  if (excess === undefined) return result === outcome.value ? outcome : resultOf(result);
  const kept =
    result.isError === true
      ? undefined
      : ((await fitted.cut(result, input, fits, call.origin.served.isLocal)) ??
        (await linked(result, excess, fits, attempt, fitted)));
  return resultOf(kept ?? withLessText(result, fits, budget.bytes) ?? tooLarge(excess, attempt, fitted));
}

/** An error that a handler writes itself is an error as well. */
function budgetFor({ isError }: CallToolResult, budget: ScannedBudget): ScannedBudget {
  return isError === true ? { ...budget, bytes: Math.min(budget.bytes, MAX_ERROR_RESULT_BYTES) } : budget;
}

/** An error without what a handler adds for its client's program, where that is too large for an error. */
function withoutLongMeta(result: CallToolResult): CallToolResult {
  const { _meta: meta, ...others } = result;
  if (result.isError !== true || meta === undefined) return result;
  const room = MAX_ANSWER_BYTES - Math.min(Buffer.byteLength(JSON.stringify(others)), MAX_ERROR_RESULT_BYTES);
  return Buffer.byteLength(JSON.stringify(meta)) <= room ? result : brandResult(others);
}

/** By how much a result is too large. */
interface Excess {
  readonly unit: 'bytes' | 'tokens';
  readonly size: number;
  readonly limit: number;
}

function excessOf({ content, structuredContent }: CallToolResult, budget: ScannedBudget): Excess | undefined {
  const { bytes, tokens, countTokens } = budget;
  const text = soleText(content) ?? '';
  if (text.length > Math.max(bytes, FAR_TOO_LARGE))
    return { unit: 'bytes', size: Buffer.byteLength(text), limit: bytes };
  const json =
    JSON.stringify(content) + (structuredContent === undefined ? '' : JSON.stringify(structuredContent));
  const size = Buffer.byteLength(json);
  if (size > bytes) return { unit: 'bytes', size, limit: bytes };
  if (tokens === Infinity) return undefined;
  const counted = countTokens?.(json) ?? Math.ceil(size / 3);
  return counted > tokens ? { unit: 'tokens', size: counted, limit: tokens } : undefined;
}

/** The result with as much of its one text as fits; undefined where it is not a text alone. */
function withLessText(
  { content, structuredContent, ...others }: CallToolResult,
  fits: Fits,
  mostBytes: number,
): CallToolResult | undefined {
  const text = soleText(content);
  if (text === undefined || structuredContent !== undefined) return undefined;
  const write = (cut: string): CallToolResult => ({ content: [{ type: 'text', text: cut }], ...others });
  return longestText(text, write, fits, mostBytes);
}

function soleText(content: readonly ContentBlock[]): string | undefined {
  const [block] = content;
  return content.length === 1 && block?.type === 'text' ? block.text : undefined;
}

/** The result with as much of a text as fits. */
function longestText(
  text: string,
  write: (cut: string) => CallToolResult,
  fits: Fits,
  mostBytes: number,
): CallToolResult | undefined {
  const total = Buffer.byteLength(text);
  const cutAt = (length: number): CallToolResult => {
    const head = text.slice(0, wholeCharacters(text, length));
    const missing = total - Buffer.byteLength(head);
    return write(`${head}\n[cut here: ${String(missing)} of ${String(total)} bytes are missing]`);
  };
  // A character takes a byte or more: only the beginning is looked at
  let [most, tooMany] = [-1, Math.min(text.length, mostBytes + 1)];
  while (tooMany - most > 1) {
    const length = (most + tooMany) >> 1;
    if (fits(cutAt(length))) most = length;
    else tooMany = length;
  }
  return most < 0 ? undefined : brandResult(cutAt(most));
}

/** A length that does not end between the two halves of a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  const isSplit = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return isSplit ? length - 1 : length;
}

/** Stores the whole result, and gives a link to it; undefined where it cannot be stored, or the output takes no link. */
async function linked(
  result: CallToolResult,
  excess: Excess,
  fits: Fits,
  { call, place }: Attempt,
  fitted: FittedBudget,
): Promise<CallToolResult | undefined> {
  const { budgets: results } = call.states;
  if (results === undefined) return undefined;
  // A repeated call gets the same link, as long as its outcome is kept
  const { uri, until } = results.newLink(ownerOf(call.authInfo), fitted.ttl);
  const contents = contentsOf(uri, result);
  const mimeType = contents[0]?.mimeType;
  const description = `The whole result of ${nameOf(place)}, until ${until}`;
  const link = { uri, name: 'result', description, ...(mimeType === undefined ? {} : { mimeType }) };
  const note = `${sayExcess(excess)}: all of it is in ${uri} until ${until}`;
  const written = await writeLink(result, link, note, fitted, fits);
  if (written === undefined || !fits(written)) return undefined;
  const owner = call.authInfo && subjectKey(subjectOf(call.authInfo));
  if (!(await results.keep({ uri, until }, owner, contents))) return undefined;
  return result._meta === undefined ? written : brandResult({ ...written, _meta: result._meta });
}

/** A result with a link, and with what fits of a text that was all of it. */
function writeLink(
  { content, structuredContent }: CallToolResult,
  link: ResourceLink,
  note: string,
  fitted: FittedBudget,
  fits: Fits,
): MaybePromise<CallToolResult | undefined> {
  const isText = !fitted.hasOutput && structuredContent === undefined;
  const text = isText ? soleText(content) : undefined;
  if (text === undefined) return fitted.link(link, [{ type: 'text', text: note }]);
  const write = (cut: string): CallToolResult => ({
    content: [
      { type: 'text', text: `${cut}\n${note}` },
      { type: 'resource_link', ...link },
    ],
  });
  return longestText(text, write, fits, fitted.budget.bytes);
}

function sayExcess({ size, limit, unit }: Excess): string {
  return `The result has ${String(size)} ${unit}, and ${String(limit)} may be sent`;
}

/** A result as the contents of a resource. */
function contentsOf(
  uri: string,
  { content, structuredContent }: CallToolResult,
): readonly ResourceContents[] {
  const json = structuredContent && JSON.stringify(structuredContent);
  const same = new Set([json, JSON.stringify(structuredContent, undefined, 2)]);
  const blocks = content.filter((block) => block.type !== 'text' || !same.has(block.text));
  const structured = json === undefined ? [] : [{ uri, mimeType: 'application/json', text: json }];
  return [...structured, ...blocks.map((block) => contentOf(uri, block))];
}

function contentOf(uri: string, block: ContentBlock): ResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType: 'text/plain', text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return block.resource;
    case 'resource_link':
      return { uri, mimeType: 'application/json', text: JSON.stringify(block) };
  }
}

function tooLarge(excess: Excess, { place }: Attempt, { narrowing }: FittedBudget): CallToolResult {
  const message = sayExcess(excess);
  return failureResult({
    code: 'RESULT_TOO_LARGE',
    message,
    headline: `[${nameOf(place)}] ${message}`,
    tool: place.tool,
    action: place.action,
    suggestion: narrowing.length === 0 ? 'ask for less' : `ask for less with ${narrowing.join(', ')}`,
    details: excess,
  });
}

function nameOf({ tool, action }: Attempt['place']): string {
  return cutText(`${String(tool)}/${String(action)}`);
}
