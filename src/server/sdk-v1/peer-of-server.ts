import type { DirectPeer } from '../direct/direct-peer.ts';
import type { ApplicationProtocolServer } from './application-protocol-server.ts';

type Given = Omit<DirectPeer, 'connection' | 'notify' | 'ask'> & { readonly canAsk: boolean };

/** The client of a server, for a request that the server itself does not see: what belongs to it goes through it. */
export function peerOfServer(
  server: ApplicationProtocolServer,
  relatedRequestId: string | number,
  { canAsk, ...given }: Given,
): DirectPeer {
  return {
    ...given,
    connection: { target: server as never, canAsk },
    notify: (notification) => server.notification(notification as never, { relatedRequestId }),
    ask: (question, resultSchema, options) =>
      server.request(question as never, resultSchema as never, { ...options, relatedRequestId }),
  };
}
