import { registeredSecrets } from '../runtime/logging/call-secrets.ts';
import { loggerOf, type AttachOptions, type ToolRegistryOptions } from '../registry/registry-options.ts';
import type { McpService } from '../runtime/service.ts';
import type { ServiceSettings } from '../runtime/routes/route.ts';
import { RegisteredTools } from '../registry/tool-registry.ts';
import { attachService, type DetachFunction } from './attach-service.ts';
import { Attachments } from './attachments.ts';

/** The host that attaches a registry's tools to servers. */
export interface RegistryHost {
  readonly settings: ServiceSettings;
  attach(server: unknown, service: McpService): DetachFunction;
}

/**
 * Tools by name, in the order they were registered.
 *
 * @example
 * const registry = new ToolRegistry();
 * registry.register(createTool('books').action({ name: 'find', handler: () => [] }));
 * const detach = registry.attachToServer(server);
 */
export class ToolRegistry extends RegisteredTools {
  readonly #host: RegistryHost;

  /** @throws ToolwrightError TW_REGISTRY_OPTION */
  constructor(options?: ToolRegistryOptions);
  /** @internal @param host the application that the registry belongs to */
  // The declarations for users leave this one out
  // oxlint-disable-next-line typescript/unified-signatures
  constructor(options?: ToolRegistryOptions, host?: RegistryHost);
  constructor(options: ToolRegistryOptions = {}, host?: RegistryHost) {
    super(options, host?.settings);
    this.#host = host ?? this.#ownHost(options);
  }

  /**
   * Serves the tools on an MCP server of the official SDK: a `Server` or an `McpServer`.
   * Tools that are registered later are served as well.
   * @throws ToolwrightError TW_ATTACH_TARGET when the target is not a server.
   */
  attachToServer(server: unknown, options: AttachOptions = {}): DetachFunction {
    return this.#host.attach(server, this.serviceOf(options));
  }

  /** A registry without an application notifies its servers of changes itself. */
  #ownHost(options: ToolRegistryOptions): RegistryHost {
    const logger = loggerOf(options.logger, registeredSecrets(options));
    const attachments = new Attachments();
    this.onChange(() => {
      attachments.notify({ kind: 'tools' });
    });
    return {
      settings: this.settings,
      attach: (server, service) => attachments.add(attachService(server, service, logger)),
    };
  }
}
