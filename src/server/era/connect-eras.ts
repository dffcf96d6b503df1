import { connectChannel } from '../connection/connect-channel.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectModern } from './connect-modern.ts';
import { EraSwitch } from './era-switch.ts';
import type { WireTransport } from './wire-transport.ts';

/** Serves the application over one connection, to clients of both eras. */
export async function connectEras(surface: ServerSurface, wire: WireTransport): Promise<EraSwitch> {
  const { logger } = surface;
  const eras = new EraSwitch(
    wire,
    {
      legacy: async (channel) => connectChannel(surface, channel),
      modern: async (channel) => connectModern(surface, channel),
    },
    {
      onError: (cause) => {
        logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
      },
      onFailure: (era, cause) => {
        const message = `The server for ${era} clients could not be started`;
        logger.log({ level: 'error', event: 'server.start', message, cause });
      },
    },
  );
  await eras.start();
  return eras;
}
