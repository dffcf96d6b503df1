import { Cancellation } from '../../call/call-context.ts';
import type { RequestContext } from '../../call/request-context.ts';
import type { CallToolResult } from '../../call/results.ts';
import { VERSIONS_META_KEY } from '../../call/version-meta.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { brokenCall } from './call-failures.ts';
import { createService, type McpService } from '../service.ts';
import { toolResultOf } from '../outcome.ts';
import type { CallOptions, RouteOptions } from '../route-options.ts';
import type { ServiceSettings } from '../route.ts';
import { LOCAL_CLIENT } from '../service-request.ts';
import type { ToolView, ToolViews } from './tool-view.ts';
import { createToolService } from './tools.ts';

/** Calls of the tools of a registry by whoever has the registry, each with the context that it is given. */
export class DirectCalls {
  readonly #views: ToolViews;
  readonly #options: RouteOptions;
  readonly #settings: ServiceSettings;
  readonly #services = new WeakMap<ToolView, McpService>();

  constructor(views: ToolViews, options: RouteOptions, settings: ServiceSettings) {
    this.#views = views;
    this.#options = options;
    this.#settings = settings;
  }

  /** It never rejects: every failure is a result. */
  async call(
    name: string,
    args: unknown,
    contextOf: () => unknown,
    { filter, version }: CallOptions,
  ): Promise<CallToolResult> {
    try {
      const context = new DirectRequest(contextOf, version);
      const { cancellation } = context;
      const params = { name, arguments: args };
      const request = { method: 'tools/call', params, context, cancellation, client: LOCAL_CLIENT };
      return toolResultOf(await this.#serviceOf(filter).serve(request));
    } catch (thrown) {
      return brokenCall(name, thrown, this.#options);
    }
  }

  #serviceOf(filter: CallOptions['filter']): McpService {
    const view = this.#views.of(filter);
    const known = this.#services.get(view);
    if (known !== undefined) return known;
    const tools = createToolService({
      ...this.#options,
      views: this.#views,
      filter,
      contextOf: givenContext,
    });
    const parts = { tools, prompts: undefined, resources: undefined, completions: undefined };
    const service = createService(parts, this.#settings, this.#options.logger);
    this.#services.set(view, service);
    return service;
  }
}

function givenContext(_extra: unknown, call: RequestContext): unknown {
  return (call.raw as DirectRequest).contextOf();
}

/** What stands for a client where there is none. */
class DirectRequest implements RequestContext {
  readonly requestId = 'local';
  readonly sessionId = undefined;
  readonly authInfo = undefined;
  readonly cancellation = new Cancellation();
  readonly meta: RequestContext['meta'];
  readonly contextOf: () => unknown;

  constructor(contextOf: () => unknown, version: CallOptions['version']) {
    this.contextOf = contextOf;
    this.meta = version === undefined ? {} : { [VERSIONS_META_KEY]: version };
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
  get raw(): this {
    return this;
  }

  client(): ReturnType<RequestContext['client']> {
    return { capabilities: {} };
  }

  header(): undefined {
    return undefined;
  }

  notify(): Promise<void> {
    return Promise.resolve();
  }

  request(method: string): Promise<never> {
    const message = `Nobody answers ${method}: the call comes from inside the process`;
    return Promise.reject(new ToolError('CLIENT_UNREACHABLE', message));
  }

  log(): Promise<void> {
    return Promise.resolve();
  }
}
