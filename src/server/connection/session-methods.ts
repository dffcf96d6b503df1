import type { LogLevel } from '../../call/call-exchange.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { AttachScope, Methods } from '../../runtime/attach/answer-request.ts';
import { completionMethods } from '../../runtime/attach/completion-methods.ts';
import { promptMethods } from '../../runtime/attach/prompt-methods.ts';
import { stringOf, wrongParam, type Params } from '../../runtime/attach/request-params.ts';
import { resourceMethods } from '../../runtime/attach/resource-methods.ts';
import { offersTasks } from '../../runtime/attach/task-door.ts';
import { taskMethods2025 } from '../../runtime/attach/task-methods.ts';
import { toolMethods } from '../../runtime/attach/tool-methods.ts';
import type { McpService, ResourceService } from '../../runtime/mcp-service.ts';
import { resourceNotFound } from '../../runtime/protocol-failures.ts';
import { LOG_LEVELS } from '../era/envelope.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerInfo } from '../server-info.ts';
import { readInitialize, serverCapabilities, type DeclaredOptions } from './handshake.ts';
import { subscribe, unsubscribe, type SessionRecord } from './session-record.ts';

/** What the methods of a session read and change. */
export interface SessionState {
  record: SessionRecord;
}

export interface SessionMethodsOptions extends DeclaredOptions {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly scope: AttachScope;
  readonly state: SessionState;
}

/** All methods that a client of the revisions up to 2025-11-25 may call on one connection. */
export function sessionMethods(options: SessionMethodsOptions): Methods {
  const { service, scope, state, canLog } = options;
  const { tools, prompts, resources, completions, settings } = service;
  const { tasks } = settings;
  const taskDoor =
    tasks === undefined || !offersTasks(service) ? undefined : ({ tasks, protocol: '2025' } as const);
  return {
    initialize: (params) => initialize(options, params),
    ping: () => ({}),
    ...(canLog ? levelMethods(options) : {}),
    ...(tools && toolMethods(scope, tools, taskDoor, settings)),
    ...(prompts && promptMethods(scope, prompts, settings)),
    ...(resources && resourceMethods(scope, resources, settings)),
    ...(resources && subscriptionMethods(state, resources)),
    ...(completions && completionMethods(scope, completions)),
    ...(taskDoor && taskMethods2025(scope, taskDoor.tasks)),
  };
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
function levelMethods({ state, isLasting }: SessionMethodsOptions): Methods {
  return {
    'logging/setLevel': ({ level }) => {
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
    },
  };
}

function isLevel(level: unknown): level is LogLevel {
  return LOG_LEVELS.includes(level as LogLevel);
}

function wrongLevel(level: unknown): ProtocolError {
  const levels = LOG_LEVELS.map((each) => `"${each}"`).join(', ');
  const { message } = wrongParam('level', `one of ${levels}`, level);
  return new ProtocolError(INVALID_PARAMS, `logging/setLevel was called with wrong params: ${message}`);
}

/** Spec 2025-11-25: server/resources, Subscriptions. */
function subscriptionMethods(state: SessionState, service: ResourceService): Methods {
  return {
    'resources/subscribe': (params) => {
      const uri = stringOf(params['uri'], 'uri');
      // Without an introduction the connection ends with this request, and the subscription with it.
      if (state.record.client === undefined) {
        throw new ProtocolError(INVALID_PARAMS, 'Cannot subscribe without a session; initialize one first', {
          uri,
        });
      }
      if (service.knows?.(uri) === false) throw resourceNotFound(uri);
      state.record = subscribe(state.record, uri);
      return {};
    },
    'resources/unsubscribe': (params) => {
      state.record = unsubscribe(state.record, stringOf(params['uri'], 'uri'));
      return {};
    },
  };
}
