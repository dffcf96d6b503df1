import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import type { Progress } from '../client/client-connection.ts';
import type { EraRequestOptions } from '../client/client-era.ts';
import { unknownMethod } from '../client/client-connection.ts';
import { parameterHeaders } from '../client/era-2026.ts';
import { ENVELOPE } from '../engine/protocol.ts';
import type { Call } from '../kernel/call/call.ts';
import { isObject, isPlainObject, membersOf, type PlainObject } from '../shared/json.ts';
import { RefusedByProxy } from './failures.ts';
import { MAX_STATE_LENGTH, readQuestions, type RelayedStates } from './relayed-state.ts';
import { askable } from './upstream.ts';
import { readLogLevel, type UpstreamClient } from './upstream-client.ts';

/** A call as the proxied server gets it. */
export interface RelayedRequest {
  /** The name or URI that it calls there. */
  readonly target: string;
  readonly params: PlainObject;
  /** The schema of the arguments of a tool, which says what headers repeat; nobody has checked it. */
  readonly inputSchema?: unknown;
  /** Headers over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Who gets what belongs to a call: its request, or what stands for several requests of one call. */
export type RelayPeer = Pick<Call, 'signal' | 'notify' | 'log' | 'request'>;

/** How many servers have passed a request on, in its `_meta`. */
export const HOPS = 'toolwright/hops';
/** A request that has passed more goes round in a ring. */
export const MAX_HOPS = 8;
/** Stops a server that never ends its questions. */
const MAX_ROUNDS = 100;
/** Questions of one call that wait for answers at one time. */
const MAX_QUESTIONS = 100;
const QUESTIONS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
]);

export function readHops(meta: PlainObject): number {
  const hops = meta[HOPS];
  return typeof hops === 'number' && Number.isSafeInteger(hops) && hops >= 0 ? hops : 0;
}

/**
 * Sends a call on, and passes what belongs to it in both directions: progress, log messages, questions and their answers, and
 * that the caller gives up.
 * @param isOwn whether the connection serves the client of the call alone
 */
export async function relay(
  client: UpstreamClient,
  isOwn: boolean,
  { target, params: given, inputSchema, headers }: RelayedRequest,
  call: Call,
  states: RelayedStates,
  peer: RelayPeer = call,
): Promise<PlainObject> {
  const { method } = call.origin;
  const { params, options } = {
    params: paramsFor(given, call),
    options: optionsFor(call, peer, isOwn, headers),
  };
  if (client.era === '2025') return client.request(method, params, options);
  const repeated = method === 'tools/call' ? repeatedHeaders(inputSchema, params['arguments']) : {};
  const asked: EraRequestOptions = { ...options, headers: repeated, behalf: describeCaller(call) };
  const send = (more: PlainObject): Promise<PlainObject> =>
    client.request(method, { ...params, ...more }, asked);
  return call.retry === undefined ? askThrough(send, call) : passQuestions(send, call, target, states);
}

/** What a call says to the proxied server, without what was said to this one. */
function paramsFor(params: PlainObject, call: Call): PlainObject {
  const { task: _task, requestState: _state, inputResponses: _responses, ...others } = params;
  const { progressToken: _token, ...meta } = call.meta;
  const passed = { ...others, _meta: { ...meta, [HOPS]: readHops(meta) + 1 } };
  return call.observation?.inject(passed) ?? passed;
}

function optionsFor(
  call: Call,
  peer: RelayPeer,
  isOwn: boolean,
  ownHeaders: RelayedRequest['headers'],
): EraRequestOptions {
  const { progressToken } = call.meta;
  const report = ({ progress, total, message }: Progress): void => {
    const told = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    void peer.notify('notifications/progress', told);
  };
  let open = 0;
  const answer = async (method: string, params: PlainObject): Promise<PlainObject> => {
    if (open >= MAX_QUESTIONS) throw new ProtocolError(INTERNAL_ERROR, 'Too many questions wait for answers');
    open += 1;
    try {
      return await ask(peer, method, params);
    } finally {
      open -= 1;
    }
  };
  return {
    signal: peer.signal,
    ownHeaders,
    ...(progressToken === undefined ? {} : { onProgress: report }),
    ...(isOwn && {
      onRequest: answer,
      onNotification: (method: string, params: PlainObject) => log(peer, method, params),
    }),
  };
}

/** A caller of 2025 is asked at once, and the call is sent again with the answers. */
async function askThrough(
  send: (more: PlainObject) => Promise<PlainObject>,
  call: Call,
): Promise<PlainObject> {
  let more: PlainObject = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = await send(more);
    const questions = readQuestions(result);
    if (questions === undefined) return result;
    const asked = Object.entries(questions.requests);
    if (asked.length > MAX_QUESTIONS)
      throw new RefusedByProxy(
        'UPSTREAM_ANSWER',
        `The server asked ${String(asked.length)} questions at once`,
      );
    const answers = await Promise.all(
      asked.map(async ([name, request]) => {
        const { method, params } = membersOf(request);
        return [name, await ask(call, String(method), isPlainObject(params) ? params : {})] as const;
      }),
    );
    const { state } = questions;
    more = {
      inputResponses: Object.fromEntries(answers),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }
  throw new RefusedByProxy('UPSTREAM_ANSWER', `The server asked ${String(MAX_ROUNDS)} times for more`);
}

/** A caller of 2026-07-28 gets the questions as the result, and calls again with the answers. */
async function passQuestions(
  send: (more: PlainObject) => Promise<PlainObject>,
  call: Call,
  target: string,
  states: RelayedStates,
): Promise<PlainObject> {
  const { requestState, inputResponses = {} } = call.retry ?? {};
  const isAnswer = requestState !== undefined || Object.keys(inputResponses).length > 0;
  const result = await send(
    !isAnswer
      ? {}
      : {
          inputResponses,
          ...(requestState === undefined ? {} : { requestState: states.open(call, target, requestState) }),
        },
  );
  const state = readQuestions(result)?.state;
  if (state === undefined) return result;
  if (state.length > MAX_STATE_LENGTH)
    throw new RefusedByProxy('UPSTREAM_ANSWER', 'The server wants to get back more than a proxy passes on');
  return { ...result, requestState: states.seal(call, target, state) };
}

async function ask(peer: RelayPeer, method: string, params: PlainObject): Promise<PlainObject> {
  if (method === 'ping') return {};
  if (!QUESTIONS.has(method)) throw unknownMethod(method);
  const { _meta: meta, ...others } = params;
  // A token of the other server means nothing here
  const { progressToken: _token, ...kept } = membersOf(meta);
  const passed = Object.keys(kept).length === 0 ? others : { ...others, _meta: kept };
  const answer = await peer.request(method, passed).catch((thrown: unknown) => {
    throw answeredError(thrown);
  });
  return isObject(answer) ? answer : {};
}

/** What a client answers with an error reaches the server that asked with the code and message of the client. */
function answeredError(thrown: unknown): unknown {
  const { code, message } = membersOf((thrown as { readonly cause?: unknown }).cause);
  if (typeof code !== 'number' || typeof message !== 'string') return thrown;
  return new ProtocolError(Number.isSafeInteger(code) ? code : INTERNAL_ERROR, message);
}

function log(peer: RelayPeer, method: string, { level, data, logger }: PlainObject): void {
  const known = readLogLevel(level);
  if (method !== 'notifications/message' || known === undefined) return;
  void peer.log(known, data, typeof logger === 'string' ? logger : undefined);
}

/** What a server of 2026-07-28 learns of the client: only what answers questions, and how much it wants to read of the log. */
function describeCaller(call: Call): NonNullable<EraRequestOptions['behalf']> {
  const { _meta: meta } = call.params;
  const is2026 = call.retry !== undefined;
  // The session of a caller of 2025 keeps what it does not want to read
  const logLevel = is2026 ? readLogLevel(membersOf(meta)[ENVELOPE.logLevel]) : 'debug';
  return { capabilities: askable(call.client().capabilities), logLevel };
}

/** The schema is as its server wrote it, so reading it may fail; then the server says what it lacks. */
function repeatedHeaders(inputSchema: unknown, args: unknown): Readonly<Record<string, string>> {
  if (!isPlainObject(inputSchema)) return {};
  try {
    return parameterHeaders(inputSchema, args);
  } catch {
    return {};
  }
}
