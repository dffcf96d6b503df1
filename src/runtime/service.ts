import type { Logger } from '../call/logger.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, ProtocolError } from '../call/protocol-error.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { completionMethods } from './methods/completion-methods.ts';
import { promptMethods } from './methods/prompt-methods.ts';
import { resourceMethods } from './methods/resource-methods.ts';
import { taskMethods } from './tasks/task-methods.ts';
import { toolMethods } from './methods/tool-methods.ts';
import { Call, type Method } from './call.ts';
import type { ServiceParts } from './mcp-service.ts';
import { failureOf, type FailureOutcome, type Outcome } from './outcome.ts';
import type { Admission } from './served-request.ts';
import type { ServiceRequest } from './service-request.ts';
import type { ServiceSettings } from './service-settings.ts';

/** The one service of an application, which every request passes, whichever way it came. */
export interface McpService extends ServiceParts {
  readonly settings: ServiceSettings;
  /** Never throws and never rejects. */
  serve(request: ServiceRequest): MaybePromise<Outcome>;
  /** The same service for requests that are counted once more. */
  admittedBy(admission: Admission): McpService;
}

/** @param logger gets faults of the server, which a client never sees in full */
export function createService(parts: ServiceParts, settings: ServiceSettings, logger: Logger): McpService {
  const { tools, prompts, resources, completions } = parts;
  const methods = {
    ...(tools && toolMethods(tools, settings, logger)),
    ...(tools && taskMethods(settings.tasks)),
    ...(prompts && promptMethods(prompts, settings)),
    ...(resources && resourceMethods(resources, settings)),
    ...(completions && completionMethods(completions)),
  };
  return new Service(parts, { settings, logger, methods: new Map(Object.entries(methods)) }, []);
}

/** What ends what runs, or asks for it, is welcome until the end, and nothing waits for it. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/update',
  'tasks/cancel',
  'resources/unsubscribe',
]);

interface Served {
  readonly settings: ServiceSettings;
  readonly logger: Logger;
  readonly methods: ReadonlyMap<string, Method>;
}

class Service implements McpService {
  readonly tools: ServiceParts['tools'];
  readonly prompts: ServiceParts['prompts'];
  readonly resources: ServiceParts['resources'];
  readonly completions: ServiceParts['completions'];
  readonly settings: ServiceSettings;
  readonly #served: Served;
  readonly #admissions: readonly Admission[];

  constructor(parts: ServiceParts, served: Served, admissions: readonly Admission[]) {
    this.tools = parts.tools;
    this.prompts = parts.prompts;
    this.resources = parts.resources;
    this.completions = parts.completions;
    this.settings = served.settings;
    this.#served = served;
    this.#admissions = admissions;
    Object.freeze(this);
  }

  admittedBy(admission: Admission): McpService {
    return new Service(this, this.#served, [...this.#admissions, admission]);
  }

  serve(request: ServiceRequest): MaybePromise<Outcome> {
    const { method } = request;
    const answer = this.#served.methods.get(method);
    if (answer === undefined) return failureOf(new ProtocolError(METHOD_NOT_FOUND, 'Method not found'));
    const call = new Call(request, UNCOUNTED.has(method) ? [] : this.#admissions);
    const refusal = call.enter();
    if (refusal !== undefined) return failureOf(refusal);
    const failed = (thrown: unknown): FailureOutcome => this.#failed(method, thrown);
    let work: MaybePromise<Outcome>;
    try {
      work = answer(call);
    } catch (thrown) {
      work = failed(thrown);
    }
    return call.replyWith(work, failed);
  }

  /** What is no answer to clients stays in the log. */
  #failed(method: string, thrown: unknown): FailureOutcome {
    if (ProtocolError.is(thrown)) return failureOf(thrown);
    const message = `${method} could not be answered.`;
    this.#served.logger.log({ level: 'error', event: 'request.failed', message, method, cause: thrown });
    return failureOf(new ProtocolError(INTERNAL_ERROR, `The server failed while it answered ${method}`));
  }
}
