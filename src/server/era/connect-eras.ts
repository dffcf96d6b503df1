import { connectChannel } from '../connection/connect-channel.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectModern } from './connect-modern.ts';
import { EraSwitch } from './era-switch.ts';
import type { WireTransport } from './wire-transport.ts';

/** Serves the application over one connection, to clients of both eras. */
export async function connectEras(surface: ServerSurface, wire: WireTransport): Promise<EraSwitch> {
  const eras = new EraSwitch(
    wire,
    {
      legacy: (channel) => connectChannel(surface, channel),
      modern: (channel) => connectModern(surface, channel),
    },
    (cause) => {
      surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
    },
  );
  await eras.start();
  return eras;
}
