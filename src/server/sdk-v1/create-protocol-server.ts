import { SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { attachService, type Attachment } from '../../runtime/attach/attach-service.ts';
import { ApplicationProtocolServer } from './application-protocol-server.ts';
import { implementationOf } from '../implementation-of.ts';
import type { ServerSurface } from '../server-surface.ts';

/** One server of the SDK, for one connection, with the application attached. */
export interface ProtocolServer {
  readonly server: ApplicationProtocolServer;
  readonly attachment: Attachment;
}

export interface ConnectionOptions {
  /** False where requests to the client would be lost. Default true. */
  readonly canAsk?: boolean;
  /** False where log messages would be lost. Default true. */
  readonly canLog?: boolean;
  /** False where the connection ends with the answer of one request. Default true. */
  readonly isLasting?: boolean;
}

// Nearly all of the time that `new Server` takes is this constructor, so all servers share one.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export function createProtocolServer(
  { info, service, logger }: ServerSurface,
  { canAsk = true, canLog = true, isLasting = true }: ConnectionOptions,
): ProtocolServer {
  const server = new ApplicationProtocolServer(implementationOf(info), {
    // The SDK handles logging/setLevel only if the capability is given here.
    capabilities: canLog ? { logging: {} } : {},
    jsonSchemaValidator,
    isLasting,
    ...(info.instructions === undefined ? {} : { instructions: info.instructions }),
  });
  if (canLog && !isLasting) server.setRequestHandler(SetLevelRequestSchema, refuseLevel);
  server.onerror = (cause) => {
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
  return { server, attachment: attachService(server, service, { logger, canAsk }) };
}

/** Nobody would remember the level, and the client would go on to get what it does not want. */
function refuseLevel(): never {
  throw new ProtocolError(INVALID_PARAMS, 'Cannot keep a log level without a session; initialize one first');
}
