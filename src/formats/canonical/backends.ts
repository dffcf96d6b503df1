import { InvalidBackendError } from '../errors.ts';

/** The tool runs on another MCP server. */
export interface McpBackend {
  readonly kind: 'mcp';
  readonly serverName: string;
}

/** The tool belongs to a tool provider. */
export interface ProviderBackend {
  readonly kind: 'provider';
  readonly providerId: string;
  readonly toolId: string;
}

/** The tool runs in this process. */
export interface LocalBackend {
  readonly kind: 'local';
  readonly name: string;
}

/** What runs a tool. Internal to a server: no adapter emits it, and nothing is lost without it. */
export type Backend = McpBackend | ProviderBackend | LocalBackend;

/** The binding of a tool that runs on another MCP server. */
export function mcpBackend(serverName: string): McpBackend {
  return Object.freeze({ kind: 'mcp', serverName });
}

/** The binding of a tool that belongs to a tool provider. */
export function providerBackend(providerId: string, toolId: string): ProviderBackend {
  return Object.freeze({ kind: 'provider', providerId, toolId });
}

/** The binding of a tool that runs in this process. */
export function localBackend(name: string): LocalBackend {
  return Object.freeze({ kind: 'local', name });
}

/**
 * Checks that a binding names what it binds to. Members of other kinds are ignored.
 * @throws InvalidBackendError `SERVER_NAME_REQUIRED`, `PROVIDER_REQUIRED`, `PROVIDER_ID_REQUIRED`,
 * `TOOL_ID_REQUIRED`, `LOCAL_NAME_REQUIRED` or `UNKNOWN_BACKEND_KIND`
 *
 * @example
 * validateBackend(mcpBackend('files'));
 */
export function validateBackend(backend: Backend): void {
  // It may come from JSON, where nothing is certain
  const members: Partial<Record<string, unknown>> = { ...(backend as Backend | null | undefined) };
  const { kind, serverName, providerId, toolId, name } = members;
  switch (kind) {
    case 'mcp':
      if (!isName(serverName)) throw new InvalidBackendError('SERVER_NAME_REQUIRED');
      return;
    case 'provider':
      if (providerId === undefined && toolId === undefined)
        throw new InvalidBackendError('PROVIDER_REQUIRED');
      if (!isName(providerId)) throw new InvalidBackendError('PROVIDER_ID_REQUIRED');
      if (!isName(toolId)) throw new InvalidBackendError('TOOL_ID_REQUIRED');
      return;
    case 'local':
      if (!isName(name)) throw new InvalidBackendError('LOCAL_NAME_REQUIRED');
      return;
    default:
      throw new InvalidBackendError('UNKNOWN_BACKEND_KIND', kind);
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
