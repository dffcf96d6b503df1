import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/service.ts';
import { Dispatcher } from './dispatcher.ts';
import type { ServerInfo } from './server-info.ts';

/** Everything a transport needs to serve an application. */
export interface ServerSurface {
  readonly info: ServerInfo;
  readonly service: McpService;
  readonly logger: Logger;
  /** Undefined where each connection has its own. */
  readonly dispatcher?: Dispatcher;
}

/** The dispatcher of the application, or one of its own for a surface that has none. */
export function dispatcherOf({ dispatcher, info, service, logger }: ServerSurface): Dispatcher {
  return dispatcher ?? new Dispatcher(info, service, logger);
}
