import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/service.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ServerInfo } from './server-info.ts';

/** Everything a transport needs to serve an application. */
export interface ServerSurface {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly logger: Logger;
  /** Undefined where each connection has its own. */
  readonly dispatcher?: Dispatcher;
}
