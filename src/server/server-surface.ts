import type { Logger } from '../call/logger.ts';
import type { IconOptions } from '../metadata/options.ts';
import type { McpService } from '../runtime/mcp-service.ts';

/** How the server introduces itself (spec: basic/lifecycle, Initialization). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly icons?: readonly IconOptions[];
}

/** Everything a transport needs to serve an application. */
export interface ServerSurface {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly logger: Logger;
}
