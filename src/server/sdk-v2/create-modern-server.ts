import { attachService, type Attachment } from '../../runtime/attach/attach-service.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerSurface } from '../server-surface.ts';
import { ModernProtocolServer } from './modern-protocol-server.ts';

/** One server of the SDK with the application attached, for one request or one connection. */
export interface ModernServer {
  readonly server: ModernProtocolServer;
  readonly attachment: Attachment;
}

/** @param canLog false where log messages would be lost */
export function createModernServer({ info, service, logger }: ServerSurface, canLog = true): ModernServer {
  const server = new ModernProtocolServer(implementationOf(info), {
    // Without it the SDK sends no log message, however a request asks for them.
    capabilities: canLog ? { logging: {} } : {},
    ...(info.instructions === undefined ? {} : { instructions: info.instructions }),
  });
  server.onerror = (cause) => {
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
  return { server, attachment: attachService(server, service, { logger }) };
}
