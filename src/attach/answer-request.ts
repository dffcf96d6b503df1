import type { RequestContext } from '../call/request-context.ts';
import { Cancellation } from '../call/call-context.ts';
import { failureResult } from '../call/result-helpers.ts';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import { isListMethod, listPage } from '../runtime/lists/lists.ts';
import { shownUri } from '../runtime/failures/protocol-failures.ts';
import type { Params } from '../kernel/call/request-params.ts';
import { isObject, membersOf } from '../shared/json.ts';
import { failureOf, resultOf, wireFailure, withoutChallenge, type Outcome } from '../kernel/call/outcome.ts';
import type { ServedClient } from '../kernel/call/service-request.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import type { McpService } from '../runtime/service.ts';
import { SdkV1Request } from './sdk-v1.ts';
import { SdkV2Request, type SdkV2Context } from './sdk-v2.ts';
import type { RequestHandler, AttachedServer } from './server-target.ts';

/** What the handlers of one attachment share. */
export interface AttachScope {
  readonly target: AttachedServer;
  readonly service: McpService;
  readonly client: ServedClient;
  isDetached: boolean;
  /** Referenced here, so that it lives exactly as long as the handlers of its server. */
  attachment?: unknown;
}

/** Wraps methods of the service as handlers of a server. */
export function answerRequests(
  scope: AttachScope,
  methods: readonly string[],
): Readonly<Record<string, RequestHandler>> {
  return Object.fromEntries(methods.map((method) => [method, answerRequest(scope, method)]));
}

/**
 * A handler that lets nothing escape but errors made here: the SDKs send whatever is thrown with its message,
 * `code` and `data`, and never answer a `throw undefined` at all.
 */
function answerRequest(scope: AttachScope, method: string): RequestHandler {
  const { service, client } = scope;
  return async (request, extra) => {
    const params = paramsOf(request);
    const context = readRequestContext(scope.target, params, extra);
    const cancellation = new Cancellation();
    const unfollow = cancellation.follow(context.signal);
    const outcome = await (scope.isDetached
      ? detachedOutcome(method, params, context, service.settings)
      : service.serve({ method, params, context, cancellation, served: client }));
    unfollow();
    const answer = outcome.kind === 'failure' ? withoutChallenge(outcome, { method, params }) : outcome;
    if (answer.kind !== 'failure') return answer.value;
    const { message, ...members } = wireFailure(answer.error);
    throw Object.assign(new Error(message), members);
  };
}

/** What an SDK hands to its handlers, as the core sees it. */
function readRequestContext(target: AttachedServer, params: Params, extra: unknown): RequestContext {
  const given = membersOf(extra);
  return 'mcpReq' in given
    ? new SdkV2Request(target, given as unknown as SdkV2Context)
    : new SdkV1Request(target, params['_meta'], given);
}

/** The params, still unchecked. */
function paramsOf(request: unknown): Params {
  const { params } = membersOf(request);
  return isObject(params) ? params : {};
}

const PARTS: Readonly<Record<string, string>> = {
  prompts: 'Prompts',
  resources: 'Resources',
  completion: 'Completions',
  tasks: 'Tasks',
};

/** The answer after a detach: lists are empty, and nothing can be called. */
function detachedOutcome(
  method: string,
  params: Params,
  context: RequestContext,
  { cache }: ServiceSettings,
): Outcome {
  if (isListMethod(method)) {
    return resultOf(listPage({ pagination: undefined, cache }, method, [], undefined, context));
  }
  if (method === 'tools/call') {
    return resultOf(failureResult({ code: 'DETACHED', message: 'Tools are no longer served here' }));
  }
  const part = PARTS[method.slice(0, method.indexOf('/'))] ?? method;
  const { uri } = params;
  const data = typeof uri === 'string' ? { uri: shownUri(uri) } : undefined;
  return failureOf(new ProtocolError(INVALID_PARAMS, `${part} are no longer served here`, data));
}
