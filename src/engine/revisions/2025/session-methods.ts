import type { LogLevel } from '../../../call/call-exchange.ts';
import { INVALID_PARAMS, ProtocolError } from '../../../call/protocol-error.ts';
import { wrongParam, type Params } from '../../../runtime/methods/request-params.ts';
import type { ServiceParts } from '../../../runtime/mcp-service.ts';
import { wireFailure } from '../../../runtime/outcome.ts';
import type { RpcRequest } from '../../rpc-request.ts';
import type { Reply } from '../../json-rpc/message.ts';
import { LOG_LEVELS } from '../../log-levels.ts';
import { implementationOf } from '../../implementation-of.ts';
import type { ServerInfo } from '../../server-info.ts';
import { readInitialize, serverCapabilities, type DeclaredOptions } from './handshake.ts';
import { newSession, type SessionRecord } from './session-record.ts';

/** What the methods of a session read and change. */
export interface SessionState extends DeclaredOptions {
  record: SessionRecord;
}

/** A client without a session, of whom nothing is remembered. */
export function noSession(canLog: boolean): SessionState {
  const nobody = newSession('');
  return Object.defineProperty({ record: nobody, canLog, isLasting: false }, 'record', {
    get: () => nobody,
    set: () => undefined,
  });
}

/** Answers the methods that are about the session itself; undefined for all others. */
export function answerOwn(
  info: ServerInfo,
  service: ServiceParts,
  session: SessionState,
  { method, params = {} }: RpcRequest,
): Reply | undefined {
  try {
    if (method === 'initialize') return { result: initialize(info, service, session, params) };
    if (method === 'logging/setLevel' && session.canLog) return { result: setLevel(session, params) };
    return undefined;
  } catch (thrown) {
    if (ProtocolError.is(thrown)) return { error: wireFailure(thrown) };
    throw thrown;
  }
}

/** Spec 2025-11-25: basic/lifecycle, Initialization. */
function initialize(info: ServerInfo, service: ServiceParts, session: SessionState, params: Params): object {
  const { revision, client } = readInitialize(params);
  session.record = Object.freeze({ ...session.record, revision, client });
  const { instructions } = info;
  return {
    protocolVersion: revision,
    capabilities: serverCapabilities(service, session),
    serverInfo: implementationOf(info),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Spec 2025-11-25: server/utilities/logging, Setting Log Level. */
function setLevel(session: SessionState, { level }: Params): object {
  // Nobody would remember the level, and the client would go on to get what it does not want.
  if (!session.isLasting) {
    throw new ProtocolError(
      INVALID_PARAMS,
      'Cannot keep a log level without a session; initialize one first',
    );
  }
  if (!isLevel(level)) throw wrongLevel(level);
  session.record = Object.freeze({ ...session.record, logLevel: level });
  return {};
}

function isLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.includes(level as LogLevel);
}

function wrongLevel(level: unknown): ProtocolError {
  const levels = LOG_LEVELS.map((each) => `"${each}"`).join(', ');
  const { message } = wrongParam('level', `one of ${levels}`, level);
  return new ProtocolError(INVALID_PARAMS, `logging/setLevel was called with wrong params: ${message}`);
}
