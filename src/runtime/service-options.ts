import type { CallExchange } from '../call/call-exchange.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { ToolFilter } from '../compile/tools/tool-filter.ts';
import type { RouteOptions } from './route-options.ts';

/** What an application decides for all its prompts, resources and completions. */
export interface ServiceOptions extends RouteOptions {
  /** Hides from lists and from calls alike; undefined hides nothing. */
  readonly filter: ToolFilter | undefined;
  /** Makes the context of each call. */
  readonly contextOf: (exchange: CallExchange) => ToolContext;
}
