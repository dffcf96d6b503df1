import { Buffer } from 'node:buffer';
import { brandResult, lengthLeft } from '../../call/handler-value.ts';
import { MAX_ANSWER_BYTES, MAX_ERROR_RESULT_BYTES } from '../../call/error-budget.ts';
import { cutText } from '../../call/issue.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult, ContentBlock, ResourceContents, ResourceLink } from '../../call/results.ts';
import { ownerOf, subjectKey, subjectOf } from '../../call/subject.ts';
import type { Attempt } from '../../kernel/call/attempt.ts';
import type { Call } from '../../kernel/call/call.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { ResultFit } from '../../profiles/fit-results.ts';
import { readModelText, shapeResult, type ClientResults } from '../client-results/index.ts';
import { BYTES_PER_TOKEN, ownLength, type ScannedBudget } from './budget.ts';
import type { StoredResults } from './stored-results.ts';
import { cutAtPlace, READ_RESULT, sayRest, wholeCharacters } from './read-result.ts';
import { NO_OWN_BUDGET, type FittedBudget } from './fitting.ts';
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

/** Makes a result of a tool that belongs to no group smaller, where its client would not read it whole. */
export function fitToolResult(outcome: ResultOutcome, call: Call, tool: string): MaybePromise<Outcome> {
  const place = { kind: 'action', tool, action: undefined, name: tool } as const;
  return fit(outcome, { call, place, input: undefined }, NO_OWN_BUDGET);
}

/** What stages of an action tell of its run. */
type AttemptFacts = Pick<Attempt, 'call' | 'place' | 'input'>;

function fit(outcome: Outcome, attempt: AttemptFacts, fitted: FittedBudget): MaybePromise<Outcome> {
  if (outcome.kind !== 'result') return outcome;
  const { call } = attempt;
  const clients = call.origin.served.isLocal ? undefined : call.states['client-results'];
  const { sureLength } = fitted;
  if (clients === undefined)
    return surelyFits(outcome.value, sureLength) ? outcome : fitOutcome(outcome, { attempt, fitted });
  const isShort = surelyFits(outcome.value, Math.min(sureLength, SURE_CLIENT_LENGTH));
  if (isShort && isOneText(outcome.value)) return outcome;
  return thenMaybe(clients.fitFor(call), (found) => {
    const client = call.isFitted === true ? withRaisedLimit(found, fitted.budget) : found;
    const isText = clients.isTextFor(call, client, fitted.isJson);
    const shape = (result: CallToolResult): CallToolResult =>
      shapeResult(result, { client, isText, hasOutput: fitted.hasOutput });
    if (isShort) return shapeOutcome(outcome, shape);
    const isLimited = client.isKnown || !(fitted.budget.isOwn || clients.hasBudget);
    return fitOutcome(outcome, { attempt, fitted, forClient: { clients, client, shape, isLimited } });
  });
}

/** A client whose tools say how long results may be reads those of this budget whole. */
function withRaisedLimit(client: ResultFit, budget: ScannedBudget): ResultFit {
  const { characters, maxCharacters = 0 } = client;
  const allowed = Math.min(ownLength(budget) ?? 0, maxCharacters);
  return allowed > characters ? { ...client, tokens: Infinity, characters: allowed } : client;
}

/** Whatever JSON makes of its characters, each client takes a text of this length: see `lengthLeft`. */
const SURE_CLIENT_LENGTH = 256;

/** Whether a result has one form for all clients. */
function isOneText(value: object): boolean {
  const { content, structuredContent } = value as CallToolResult;
  return structuredContent === undefined && content.length === 1 && content[0]?.type === 'text';
}

function shapeOutcome(
  outcome: ResultOutcome,
  shape: (result: CallToolResult) => CallToolResult,
): ResultOutcome {
  const shaped = shape(outcome.value as CallToolResult);
  return shaped === outcome.value ? outcome : resultOf(shaped);
}

/** Whether a result is small enough, whatever JSON makes of its characters: six bytes each at most. */
function surelyFits(value: object, sureLength: number): boolean {
  const isError = (value as CallToolResult).isError === true;
  return lengthLeft(value, isError ? Math.min(sureLength, MAX_ERROR_RESULT_BYTES / 6) : sureLength) >= 0;
}

/** To write a text of fifty megabytes as JSON takes half a second, only to find that it is too large. */
const FAR_TOO_LARGE = 4 * 1024 * 1024;

type Fits = (result: CallToolResult) => boolean;

/** What is known of the client that gets a result. */
interface ForClient {
  readonly clients: ClientResults;
  readonly client: ResultFit;
  /** A result in the form that it gets. */
  readonly shape: (result: CallToolResult) => CallToolResult;
  /** Whether its own budget counts. */
  readonly isLimited: boolean;
}

interface Scene {
  readonly attempt: AttemptFacts;
  readonly fitted: FittedBudget;
  /** Undefined for calls of this process. */
  readonly forClient?: ForClient;
}

/**
 * Makes a result that exceeds its budget smaller: fewer elements of its page, else a link to all of it or the way to read it
 * on, else less of its text, else an error. What is left always fits the declared output.
 */
async function fitOutcome(outcome: ResultOutcome, scene: Scene): Promise<ResultOutcome> {
  const { attempt, fitted, forClient } = scene;
  const { call, input } = attempt;
  const result = withoutLongMeta(outcome.value as CallToolResult);
  const budget = budgetFor(result, fitted.budget);
  const shape = (given: CallToolResult): CallToolResult => forClient?.shape(given) ?? given;
  const measure = (given: CallToolResult): Excess | undefined =>
    excessOf(given, budget) ?? (forClient && clientExcess(shape(given), budget, forClient));
  const fits: Fits = (smaller) => measure(smaller) === undefined;
  const excess = measure(result);
  if (excess === undefined) {
    const shaped = shape(result);
    return shaped === outcome.value ? outcome : resultOf(shaped);
  }
  const kept =
    result.isError === true
      ? undefined
      : ((await fitted.cut(result, input, fits, call.origin.served.isLocal)) ??
        (await stored(result, excess, fits, scene)));
  const small = kept ?? withLessText(result, fits, scene, excess) ?? tooLarge(excess, attempt, fitted);
  return resultOf(shape(small));
}

/** By how much a result exceeds what its client reads. */
function clientExcess(
  result: CallToolResult,
  { countTokens }: ScannedBudget,
  { client, isLimited }: ForClient,
): Excess | undefined {
  const isError = result.isError === true;
  if (!isLimited && !isError) return undefined;
  const text = readModelText(result, client);
  const characters = isError ? Math.min(client.characters, client.errorCharacters) : client.characters;
  if (text.length > characters)
    return { unit: 'characters', size: text.length, limit: characters, isClient: true };
  if (client.tokens === Infinity || isError) return undefined;
  const size = countTokens?.(text) ?? Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
  return size > client.tokens ? { unit: 'tokens', size, limit: client.tokens, isClient: true } : undefined;
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
  readonly unit: 'bytes' | 'tokens' | 'characters';
  readonly size: number;
  readonly limit: number;
  /** Whether it is more than its client reads, and not more than its author allows. */
  readonly isClient?: true;
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
  const counted = countTokens?.(json) ?? Math.ceil(size / BYTES_PER_TOKEN);
  return counted > tokens ? { unit: 'tokens', size: counted, limit: tokens } : undefined;
}

/** The result with as much of its one text as fits; undefined where it is not a text alone. */
function withLessText(
  { content, ...others }: CallToolResult,
  fits: Fits,
  { fitted, forClient }: Scene,
  { isClient }: Excess,
): CallToolResult | undefined {
  const text = soleText(content);
  // A client that reads the text alone may get the structure whole
  const keepsStructure = isClient === true && forClient?.client.reads === 'text';
  if (text === undefined || (others.structuredContent !== undefined && !keepsStructure)) return undefined;
  const write = (head: string): CallToolResult => ({
    content: [{ type: 'text', text: `${head}\n${sayCut(text, head)}` }],
    ...others,
  });
  return longestText(text, write, fits, fitted.budget.bytes, isClient === true);
}

function soleText(content: readonly ContentBlock[]): string | undefined {
  const [block] = content;
  return content.length === 1 && block?.type === 'text' ? block.text : undefined;
}

function sayCut(text: string, head: string): string {
  const total = Buffer.byteLength(text);
  return `[cut here: ${String(total - Buffer.byteLength(head))} of ${String(total)} bytes are missing]`;
}

/** The result with as much of a text as fits. @param isSensible whether it is cut at the end of a line or word */
function longestText(
  text: string,
  write: (head: string) => CallToolResult,
  fits: Fits,
  mostBytes: number,
  isSensible = false,
): CallToolResult | undefined {
  const placeAt = isSensible ? cutAtPlace : wholeCharacters;
  const cutAt = (length: number): CallToolResult => write(text.slice(0, placeAt(text, length)));
  // A character takes a byte or more: only the beginning is looked at
  let [most, tooMany] = [-1, Math.min(text.length, mostBytes + 1)];
  while (tooMany - most > 1) {
    const length = (most + tooMany) >> 1;
    if (fits(cutAt(length))) most = length;
    else tooMany = length;
  }
  return most < 0 ? undefined : brandResult(cutAt(most));
}

/** Stores the whole result; undefined where it cannot be stored, or nobody could read it. */
function stored(
  result: CallToolResult,
  excess: Excess,
  fits: Fits,
  scene: Scene,
): MaybePromise<CallToolResult | undefined> {
  const { attempt, forClient } = scene;
  const { budgets: results } = attempt.call.states;
  if (forClient !== undefined && attempt.call.beside?.isListed(READ_RESULT, attempt.call) === true)
    return readOn(result, excess, fits, scene);
  const isRead = forClient?.client.readsResources !== false;
  return isRead && results !== undefined ? linked(result, excess, fits, scene, results) : undefined;
}

/** A result whose rest is read by a tool. */
async function readOn(
  result: CallToolResult,
  excess: Excess,
  fits: Fits,
  { attempt: { call, place }, fitted, forClient }: Scene,
): Promise<CallToolResult | undefined> {
  const { budgets: results } = call.states;
  if (results === undefined) return undefined;
  const link = results.newLink(ownerOf(call.authInfo), fitted.ttl);
  const { content, ...others } = result;
  const text = soleText(content);
  const mayCut = others.structuredContent === undefined || forClient?.client.reads === 'text';
  const written =
    text === undefined || !mayCut
      ? readWhole(result, excess, place, sayRest(link, 0))
      : longestText(
          text,
          (head) => ({
            content: [
              { type: 'text', text: `${head}\n[${sayExcess(excess)}. ${sayRest(link, head.length)}]` },
            ],
            ...others,
          }),
          fits,
          fitted.budget.bytes,
          true,
        );
  if (written === undefined || !fits(written)) return undefined;
  const contents =
    text === undefined || !mayCut
      ? contentsOf(link.uri, result)
      : [{ uri: link.uri, mimeType: 'text/plain', text }];
  const owner = call.authInfo && subjectKey(subjectOf(call.authInfo));
  return (await results.keep(link, owner, contents)) ? written : undefined;
}

/** In place of a result of which no part can be sent. A success would need the structure that its tool declares. */
function readWhole(
  { structuredContent }: CallToolResult,
  excess: Excess,
  place: Attempt['place'],
  rest: string,
): CallToolResult {
  const note = `${sayExcess(excess)}. ${rest}`;
  if (structuredContent === undefined) return brandResult({ content: [{ type: 'text', text: note }] });
  return failureResult({
    code: 'RESULT_TOO_LARGE',
    message: sayExcess(excess),
    headline: `[${nameOf(place)}] The call has succeeded. ${note}`,
    tool: place.tool,
    action: place.action,
    details: excess,
  });
}

/** Stores the whole result, and gives a link to it; undefined where it cannot be stored, or the output takes no link. */
async function linked(
  result: CallToolResult,
  excess: Excess,
  fits: Fits,
  { attempt: { call, place }, fitted }: Scene,
  results: StoredResults,
): Promise<CallToolResult | undefined> {
  // A repeated call gets the same link, as long as its outcome is kept
  const { uri, until } = results.newLink(ownerOf(call.authInfo), fitted.ttl);
  const contents = contentsOf(uri, result);
  const mimeType = contents[0]?.mimeType;
  const description = `The whole result of ${nameOf(place)}, until ${until}`;
  const link = { uri, name: 'result', description, ...(mimeType === undefined ? {} : { mimeType }) };
  const note = `${sayExcess(excess)}: all of it is in ${uri} until ${until}`;
  const written = await writeLink(result, { link, note, isClient: excess.isClient === true }, fitted, fits);
  if (written === undefined || !fits(written)) return undefined;
  const owner = call.authInfo && subjectKey(subjectOf(call.authInfo));
  if (!(await results.keep({ uri, until }, owner, contents))) return undefined;
  return result._meta === undefined ? written : brandResult({ ...written, _meta: result._meta });
}

/** A result with a link, and with what fits of a text that was all of it. */
function writeLink(
  { content, structuredContent }: CallToolResult,
  {
    link,
    note,
    isClient,
  }: { readonly link: ResourceLink; readonly note: string; readonly isClient: boolean },
  fitted: FittedBudget,
  fits: Fits,
): MaybePromise<CallToolResult | undefined> {
  const isText = !fitted.hasOutput && structuredContent === undefined;
  const text = isText ? soleText(content) : undefined;
  if (text === undefined) return fitted.link(link, [{ type: 'text', text: note }]);
  const write = (head: string): CallToolResult => ({
    content: [
      { type: 'text', text: `${head}\n${sayCut(text, head)}\n${note}` },
      { type: 'resource_link', ...link },
    ],
  });
  return longestText(text, write, fits, fitted.budget.bytes, isClient);
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

function tooLarge(excess: Excess, { place }: AttemptFacts, { narrowing }: FittedBudget): CallToolResult {
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
  return cutText(action === undefined ? String(tool) : `${String(tool)}/${action}`);
}
