import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/mcp-service.ts';
import type { CallCount } from './call-count.ts';
import type { DirectDispatcher } from './direct/direct-dispatcher.ts';
import type { ServerInfo } from './server-info.ts';

/** The way around the SDKs. */
export interface DirectDoor {
  readonly dispatcher: DirectDispatcher;
  /** What counts the calls that take it; those through the SDKs are counted by the service itself. */
  readonly counts: readonly CallCount[];
}

/** Everything a transport needs to serve an application. */
export interface ServerSurface {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly logger: Logger;
  /** Undefined sends everything through the SDKs. */
  readonly direct?: DirectDoor;
}
