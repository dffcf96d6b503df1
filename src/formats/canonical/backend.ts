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

/** What runs a tool. Internal to a server: no adapter emits it, and its absence is no loss. */
export type Backend = McpBackend | ProviderBackend | LocalBackend;
