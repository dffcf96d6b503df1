import type { EraChannel } from '../era/era-channel.ts';
import type { EraServer } from '../era/era-switch.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';

/** Serves the 2025-era messages of a connection. */
export async function connectChannel(surface: ServerSurface, channel: EraChannel): Promise<EraServer> {
  const { server, attachment } = await connectTransport(surface, channel);
  return { notify: attachment.notify, close: () => server.close() };
}
