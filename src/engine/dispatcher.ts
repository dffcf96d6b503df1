import type { Logger } from '../call/logger.ts';
import type { McpService } from '../runtime/service.ts';
import { ListReplies } from './list-replies.ts';
import { Revision2025 } from './revisions/2025/revision-2025.ts';
import { Revision2026 } from './revisions/2026-07-28/revision-2026.ts';
import type { ServerInfo } from './server-info.ts';

/** Both ways to speak the protocol, for one application. */
export class Dispatcher {
  readonly revision2025: Revision2025;
  readonly revision2026: Revision2026;

  constructor(info: ServerInfo, service: McpService, logger: Logger) {
    const lists = new ListReplies(service, logger);
    this.revision2025 = new Revision2025(info, service, lists);
    this.revision2026 = new Revision2026(info, service, lists);
  }
}

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
