/* eslint-disable @typescript-eslint/no-deprecated -- The SDK keeps `Server` for tool sets that are computed elsewhere. */
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { readableSchema } from './readable-schema.ts';

export interface ApplicationServerOptions extends ServerOptions {
  /** False where a connection ends with the answer of one request, so that nothing can be announced on it. */
  readonly isLasting: boolean;
}

/**
 * The SDK's server without its own check of tools/call, which answers malformed calls with a dump of its
 * schema library. Requests and results are checked by the application, which says what to repair.
 */
export class ApplicationProtocolServer extends Server {
  readonly #isLasting: boolean;

  constructor(info: Implementation, { isLasting, ...options }: ApplicationServerOptions) {
    super(info, options);
    this.#isLasting = isLasting;
  }

  override setRequestHandler(...[schema, handler]: Parameters<Server['setRequestHandler']>): void {
    Protocol.prototype.setRequestHandler.apply(this, [readableSchema(schema), handler] as never);
  }

  /** Spec: basic/lifecycle, Capability Negotiation: what is declared may be relied on. */
  override registerCapabilities(capabilities: ServerCapabilities): void {
    super.registerCapabilities(this.#isLasting ? capabilities : withoutNews(capabilities));
  }

  /**
   * Spec 2025-11-25: basic/utilities/tasks, Capability Negotiation: who does not declare tasks for a request
   * ignores that one is asked for. The SDK refuses the request.
   */
  protected override assertTaskHandlerCapability(): void {
    // Every request is served.
  }
}

function withoutNews(capabilities: ServerCapabilities): ServerCapabilities {
  const kept = Object.entries(capabilities).map(([part, flags]) => {
    const { listChanged: _listChanged, subscribe: _subscribe, ...others } = flags as Record<string, unknown>;
    return [part, others] as const;
  });
  return Object.fromEntries(kept);
}
