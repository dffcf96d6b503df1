import { ConnectionDirect } from '../direct/connection-direct.ts';
import type { EraChannel } from '../era/era-channel.ts';
import type { EraServer } from '../era/era-switch.ts';
import type { ServerSurface } from '../server-surface.ts';
import { connectTransport } from './connect-transport.ts';
import { ServerPeer } from './server-peer.ts';

/** Serves the 2025-era messages of a connection. */
export async function connectChannel(surface: ServerSurface, channel: EraChannel): Promise<EraServer> {
  const { server, attachment } = await connectTransport(surface, channel);
  const served = { notify: attachment.notify, close: () => server.close() };
  if (surface.direct === undefined) return served;
  const direct = new ConnectionDirect({
    era: 'legacy',
    door: surface.direct,
    channel,
    isOpen: () => server.getClientCapabilities() !== undefined,
    report: (error) => server.onerror?.(error),
    // Each by its name: to spread what every call has costs as much as all of its checks.
    peerOf: (id, { authInfo, cancellation, counts, sessionId }) =>
      new ServerPeer(server, id, {
        authInfo,
        cancellation,
        counts,
        sessionId,
        http: undefined,
        releaseStream: undefined,
        canAsk: true,
        canLog: true,
      }),
  });
  return {
    ...served,
    take: (message, extra) => direct.take(message, extra),
    end: () => {
      direct.end();
    },
  };
}
