import type { LogLevel } from '../../call/call-exchange.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { wrongParam, type Params } from '../../runtime/attach/request-params.ts';
import type { ServiceParts } from '../../runtime/mcp-service.ts';
import { wireFailure } from '../../runtime/outcome.ts';
import type { DirectRequest } from '../direct/direct-request.ts';
import type { Reply } from '../direct/reply.ts';
import { LOG_LEVELS } from '../era/envelope.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerInfo } from '../server-info.ts';
import { readInitialize, serverCapabilities, type DeclaredOptions } from './handshake.ts';
import type { SessionRecord } from './session-record.ts';

/** What the methods of a session read and change. */
export interface SessionState {
  record: SessionRecord;
}

export interface SessionMethodsOptions extends DeclaredOptions {
  readonly info: ServerInfo;
  readonly service: ServiceParts;
  readonly state: SessionState;
}

/** Answers the methods that are about the session itself; undefined for all others. */
export function answerOwn(
  options: SessionMethodsOptions,
  { method, params = {} }: DirectRequest,
): Reply | undefined {
  try {
    if (method === 'initialize') return { result: initialize(options, params) };
    if (method === 'ping') return { result: {} };
    if (method === 'logging/setLevel' && options.canLog) return { result: setLevel(options, params) };
    return undefined;
  } catch (thrown) {
    if (ProtocolError.is(thrown)) return { error: wireFailure(thrown) };
    throw thrown;
  }
}

/** Spec 2025-11-25: basic/lifecycle, Initialization. */
function initialize(
  { info, service, state, canLog, isLasting }: SessionMethodsOptions,
  params: Params,
): object {
  const { revision, client } = readInitialize(params);
  state.record = Object.freeze({ ...state.record, revision, client });
  const { instructions } = info;
  return {
    protocolVersion: revision,
    capabilities: serverCapabilities(service, { canLog, isLasting }),
    serverInfo: implementationOf(info),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Spec 2025-11-25: server/utilities/logging, Setting Log Level. */
function setLevel({ state, isLasting }: SessionMethodsOptions, { level }: Params): object {
  // Nobody would remember the level, and the client would go on to get what it does not want.
  if (!isLasting) {
    throw new ProtocolError(
      INVALID_PARAMS,
      'Cannot keep a log level without a session; initialize one first',
    );
  }
  if (!isLevel(level)) throw wrongLevel(level);
  state.record = Object.freeze({ ...state.record, logLevel: level });
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
