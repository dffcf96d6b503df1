import { thenMaybe, type MaybePromise } from '../../../shared/maybe-promise.ts';
import { hasMoreValues, isObject } from '../../../shared/json.ts';
import { LOG_LEVELS, type LogLevel } from '../../../call/request-context.ts';
import { INVALID_PARAMS, ProtocolError } from '../../../call/protocol-error.ts';
import type { McpService } from '../../../runtime/service.ts';
import { declareExtensions } from '../../../runtime/feature-states.ts';
import { PART_CAPABILITIES, partsOf } from '../../../runtime/routes/service-parts.ts';
import { wrongParam, type Params } from '../../../kernel/call/request-params.ts';
import { EncodedResult, wireFailure } from '../../../kernel/call/outcome.ts';
import { offersTasks, TASK_CAPABILITIES } from '../../../runtime/tasks/task-port.ts';
import { claimIn } from '../contact.ts';
import { instructionsFor } from '../../instructions.ts';
import type { Reply } from '../../json-rpc/message.ts';
import type { Sender } from '../../observed-answer.ts';
import { CLIENT_CAPABILITIES, CLIENT_INFO, REVISIONS_2025 } from '../../protocol.ts';
import type { RpcRequest } from '../../revision.ts';
import { implementationOf, type ServerInfo } from '../../server-info.ts';
import { shapeFault } from '../2026-07-28/revision-2026.ts';
import { newSession, type IntroducedClient, type SessionRecord } from './session-record.ts';

/** The state that the methods of a session read and change. */
export interface SessionState {
  /** Of a session of Streamable HTTP. */
  readonly sessionId?: string | undefined;
  readonly record: SessionRecord;
  /**
   * Changes the state, a second time where another instance was faster; the promise resolves when it is stored, where it
   * has to be.
   */
  change(update: (record: SessionRecord) => SessionRecord): MaybePromise<void>;
  readonly canLog: boolean;
  /** False where the connection ends with the answer, so that no change can be announced. */
  readonly isLasting: boolean;
}

const PONG = new EncodedResult(Object.freeze({}));

/** A client without a session and without state. */
export function noSession(canLog: boolean): SessionState {
  return { record: newSession(''), change: () => undefined, canLog, isLasting: false };
}

/** The answer of a method of the session itself. */
interface OwnReply {
  readonly reply: Reply;
  /** Resolves when the change is stored. */
  readonly stored?: Promise<void>;
}

/** Answers the methods that are about the session itself; undefined for all others. */
export function answerSessionMethod(
  info: ServerInfo,
  service: McpService,
  session: SessionState,
  { method, params = {} }: RpcRequest,
  sender: Sender,
): MaybePromise<OwnReply> | undefined {
  try {
    if (method === 'ping') return { reply: PONG };
    if (method === 'initialize') return initialize(info, service, session, params, sender);
    if (method === 'logging/setLevel' && session.canLog) return setLevel(session, params);
    return undefined;
  } catch (thrown) {
    if (ProtocolError.is(thrown)) return { reply: { error: wireFailure(thrown) } };
    throw thrown;
  }
}

function changed(result: object, stored: MaybePromise<void>): OwnReply {
  return stored instanceof Promise ? { reply: { result }, stored } : { reply: { result } };
}

/** Spec 2025-11-25: basic/lifecycle, Initialization. */
function initialize(
  info: ServerInfo,
  service: McpService,
  session: SessionState,
  params: Params,
  sender: Sender,
): MaybePromise<OwnReply> {
  const { revision, client } = readInitialize(params);
  const stored = session.change((record) => Object.freeze({ ...record, revision, client }));
  // It may fail before the answer, which waits for it, is there
  if (stored instanceof Promise) stored.catch(() => undefined);
  return thenMaybe(
    instructionsFor(info, service, sender, () => claimIn(client.info)),
    (instructions) => {
      const result = {
        protocolVersion: revision,
        capabilities: serverCapabilities(service, session),
        serverInfo: implementationOf(info),
        ...(instructions === undefined ? {} : { instructions }),
      };
      return changed(result, stored);
    },
  );
}

/**
 * A revision that is not served is answered with the newest one, which the client may refuse
 * (spec 2025-11-25: basic/lifecycle, Version Negotiation).
 * @throws ProtocolError that names everything that is wrong
 */
function readInitialize(params: Params): { readonly revision: string; readonly client: IntroducedClient } {
  const faults = initializeFaults(params);
  if (faults.length > 0) {
    throw new ProtocolError(INVALID_PARAMS, `initialize was called with wrong params: ${faults.join('; ')}`);
  }
  const protocolVersion = params['protocolVersion'] as string;
  const [newest = ''] = REVISIONS_2025;
  return {
    revision: REVISIONS_2025.includes(protocolVersion) ? protocolVersion : newest,
    client: { info: params['clientInfo'] as Params, capabilities: params['capabilities'] as Params },
  };
}

/** In characters of JSON: a server keeps for each session what its client says of itself. */
const MAX_INTRODUCTION_LENGTH = 64 * 1024;
const TOO_LONG = `capabilities and clientInfo have ${String(MAX_INTRODUCTION_LENGTH)} characters together at most`;

/** Each thing that is wrong with the params of initialize, as a sentence. */
export function initializeFaults(params: unknown): readonly string[] {
  const { protocolVersion, capabilities, clientInfo } = isObject(params) ? params : {};
  // Before each of them is looked at: there may be hundreds of thousands, of two characters or more
  if (hasMoreValues([capabilities, clientInfo], MAX_INTRODUCTION_LENGTH / 2)) return [TOO_LONG];
  const faults: string[] = [];
  if (typeof protocolVersion !== 'string') faults.push('protocolVersion must be a string');
  for (const fault of [
    shapeFault(capabilities, CLIENT_CAPABILITIES, 'capabilities'),
    shapeFault(clientInfo, CLIENT_INFO, 'clientInfo'),
  ]) {
    if (fault !== undefined) faults.push(`${fault.key} ${fault.problem}`);
  }
  if (faults.length === 0 && JSON.stringify([capabilities, clientInfo]).length > MAX_INTRODUCTION_LENGTH) {
    faults.push(TOO_LONG);
  }
  return faults;
}

/** What the server declares; what is declared may be relied on (spec: basic/lifecycle, Capability Negotiation). */
function serverCapabilities(service: McpService, { canLog, isLasting }: SessionState): object {
  const parts = partsOf(service).map((part) => [part, isLasting ? PART_CAPABILITIES[part] : {}] as const);
  return {
    ...(canLog ? { logging: {} } : {}),
    ...(offersTasks(service) ? TASK_CAPABILITIES['2025'] : {}),
    ...declareExtensions(service.settings),
    ...Object.fromEntries(parts),
  };
}

/** Spec 2025-11-25: server/utilities/logging, Setting Log Level. */
function setLevel(session: SessionState, { level }: Params): OwnReply {
  // The level would be lost, and the client would keep getting unwanted messages.
  if (!session.isLasting) {
    throw new ProtocolError(
      INVALID_PARAMS,
      'Cannot keep a log level without a session; initialize one first',
    );
  }
  if (!isLevel(level)) throw wrongLevel(level);
  return changed(
    {},
    session.change((record) => Object.freeze({ ...record, logLevel: level })),
  );
}

function isLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.includes(level as LogLevel);
}

function wrongLevel(level: unknown): ProtocolError {
  const levels = LOG_LEVELS.map((each) => `"${each}"`).join(', ');
  const { message } = wrongParam('level', `one of ${levels}`, level);
  return new ProtocolError(INVALID_PARAMS, `logging/setLevel was called with wrong params: ${message}`);
}
