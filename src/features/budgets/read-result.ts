import { describeReceived } from '../../call/issue.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult, ResourceContents } from '../../call/results.ts';
import type { Call } from '../../kernel/call/call.ts';
import { resultOf } from '../../kernel/call/outcome.ts';
import type { FeatureTool } from '../../runtime/runtime-facet.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { ResultFit } from '../../profiles/fit-results.ts';
import { BYTES_PER_TOKEN } from './budget.ts';
import { StoredResults, type ResultLink } from './stored-results.ts';

/** Reads on in a result that was too long for a client. */
export const READ_RESULT = 'read_result';

const DEFINITION = deepFreeze({
  name: READ_RESULT,
  title: 'Read a long result',
  description: 'Reads on in a result that was too long to be sent whole. Such a result says its id.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The id that the result says' },
      offset: { type: 'integer', minimum: 0, default: 0, description: 'The character to begin at' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const);

/**
 * The tool that reads stored results, for clients that may read no resources.
 * @param asTools which clients are listed resources as tools
 */
export function readResultTool(results: StoredResults, asTools: boolean | 'auto'): FeatureTool {
  return {
    name: READ_RESULT,
    describe: ({ isFitted, client: { readsResources } = {} }) => {
      const isListed =
        asTools === true ||
        (asTools === 'auto' && readsResources === false) ||
        (isFitted && readsResources !== true);
      return isListed ? DEFINITION : undefined;
    },
    answer: async (args, call) => resultOf(await answerReadResult(args, call, results)),
  };
}

/** What a model does to read on. */
export function sayRest({ uri, until }: ResultLink, offset: number): string {
  const id = StoredResults.readId(uri);
  return `Until ${until}, ${READ_RESULT} ${JSON.stringify(offset === 0 ? { id } : { id, offset })} reads ${offset === 0 ? 'all of it' : 'on'}`;
}

/** How far back a text is cut to end with a line, an element or a word. */
const MAX_SHARE_LEFT_OUT = 0.1;
const ENDS = ['\n', '},', ' '];

/** A length at most as long, where a line, an element of a list or a word ends; else that of whole characters. */
export function cutAtPlace(text: string, length: number): number {
  const least = Math.floor(length * (1 - MAX_SHARE_LEFT_OUT));
  for (const end of ENDS) {
    const place = text.lastIndexOf(end, length - end.length);
    if (place >= least && place > 0) return place + end.length;
  }
  return wholeCharacters(text, length);
}

/** A length that does not end between the two halves of a surrogate pair. */
export function wholeCharacters(text: string, length: number): number {
  const isSplit = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return isSplit ? length - 1 : length;
}

/** Answers a call of the tool: as much of a result of the caller as the client reads. */
async function answerReadResult(
  args: PlainObject,
  call: Call,
  results: StoredResults,
): Promise<CallToolResult> {
  const { id, offset = 0 } = args;
  if (typeof id !== 'string') return wrongArgument('id', 'a string', id);
  if (!isOffset(offset)) return wrongArgument('offset', 'a whole number, 0 or more', offset);
  const owner = call.authInfo && subjectKey(subjectOf(call.authInfo));
  const found = await results.read(StoredResults.uriFor(id), owner);
  const text = found?.contents.map(readContents).join('\n');
  if (text === undefined || offset > text.length) return notFound(id, text?.length);
  const client = call.origin.served.isLocal ? undefined : await call.states['client-results']?.fitFor(call);
  return writePart(text, offset, id, client);
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function readContents({ text, blob = '', mimeType = 'data' }: ResourceContents): string {
  return text ?? `[${mimeType}, ${String(Math.floor((blob.length * 3) / 4))} bytes]`;
}

/** Room for what is said of the rest. */
const NOTE_LENGTH = 240;

function writePart(text: string, offset: number, id: string, client: ResultFit | undefined): CallToolResult {
  const { tokens = Infinity, characters = Infinity } = client ?? {};
  const rest = text.slice(offset);
  const mostBytes = Math.min(tokens * BYTES_PER_TOKEN, 1024 * 1024);
  const most = Math.min(characters, mostBytes);
  const isWhole = rest.length <= characters && Buffer.byteLength(rest) <= mostBytes;
  if (isWhole) return { content: [{ type: 'text', text: rest }] };
  let length = Math.max(1, Math.floor(most - NOTE_LENGTH));
  const room = mostBytes - NOTE_LENGTH;
  // A character has up to three bytes
  while (length > 1 && Buffer.byteLength(rest.slice(0, length)) > room)
    length = Math.min(length - 1, Math.floor((length * room) / Buffer.byteLength(rest.slice(0, length))));
  const head = rest.slice(0, Math.max(1, cutAtPlace(rest, length)));
  const next = offset + head.length;
  const note = `[${String(next)} of ${String(text.length)} characters. ${READ_RESULT} ${JSON.stringify({ id, offset: next })} reads on]`;
  return { content: [{ type: 'text', text: `${head}\n${note}` }] };
}

function wrongArgument(path: string, expected: string, given: unknown): CallToolResult {
  const issue = { path, message: `must be ${expected}`, received: describeReceived(given) };
  const message = `Validation failed: ${path} ${issue.message}`;
  return failureResult({ code: 'VALIDATION_FAILED', message, tool: READ_RESULT, issues: [issue] });
}

function notFound(id: string, length: number | undefined): CallToolResult {
  const message =
    length === undefined
      ? 'The result is not there any more, or it was another one'
      : `The result has ${String(length)} characters`;
  return failureResult({ code: 'NOT_FOUND', message, tool: READ_RESULT, received: describeReceived(id) });
}
