import { MODERN_CLIENT } from '../../runtime/attach/task-door.ts';
import { ConnectionDirect } from '../direct/connection-direct.ts';
import { ALONE } from '../direct/direct-peer.ts';
import { doorOf } from '../direct/door-of.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { EraChannel } from './era-channel.ts';
import type { EraServer } from './era-switch.ts';

/** Serves the messages of 2026-07-28 of a connection. */
export function connectModern(surface: ServerSurface, channel: EraChannel): EraServer {
  const { logger, service } = surface;
  const connection = new ConnectionDirect({
    era: 'modern',
    door: doorOf(surface),
    channel,
    // Every request says who asks.
    isOpen: () => true,
    report: (cause) => {
      logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
    },
    peerOf: (_id, { authInfo, cancellation, sessionId }) => ({
      authInfo,
      cancellation,
      service,
      client: MODERN_CLIENT,
      sessionId,
      http: undefined,
      releaseStream: undefined,
      canLog: true,
      connection: ALONE,
      notify: (notification) => channel.send(notification),
      ask: () => Promise.reject(new Error('Nobody can be asked while a request runs')),
    }),
  });
  return {
    take: (message, extra) => void connection.take(message, extra),
    notify: (change) => {
      // What was switched off since the client subscribed is hidden from it altogether.
      const isHidden = change.kind === 'resource' && service.resources?.knows(change.uri) === false;
      if (!isHidden) connection.notify(change);
    },
    close: () => connection.close(),
    end: () => {
      connection.end();
    },
  };
}
