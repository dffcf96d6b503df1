import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { attachService, type Attachment } from '../../runtime/attach/attach-service.ts';
import { ApplicationProtocolServer } from './application-protocol-server.ts';
import type { ServerInfo, ServerSurface } from '../server-surface.ts';

/** One server of the SDK, for one connection, with the application attached. */
export interface ProtocolServer {
  readonly server: ApplicationProtocolServer;
  readonly attachment: Attachment;
}

export interface ConnectionOptions {
  /** False where requests to the client would be lost. Default true. */
  readonly canAsk?: boolean;
}

// Nearly all of the time that `new Server` takes is this constructor, so all servers share one.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export function createProtocolServer(
  { info, service, logger }: ServerSurface,
  { canAsk = true }: ConnectionOptions,
): ProtocolServer {
  const server = new ApplicationProtocolServer(implementationOf(info), {
    // The SDK handles logging/setLevel only if the capability is given here.
    capabilities: { logging: {} },
    jsonSchemaValidator,
    ...(info.instructions === undefined ? {} : { instructions: info.instructions }),
  });
  server.onerror = (cause) => {
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
  return { server, attachment: attachService(server, service, { logger, canAsk }) };
}

function implementationOf({ name, version, title, icons }: ServerInfo): Implementation {
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(icons === undefined
      ? {}
      : { icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...copy(sizes) })) }),
  };
}

function copy(sizes: readonly string[] | undefined): { sizes?: string[] } {
  return sizes === undefined ? {} : { sizes: [...sizes] };
}
