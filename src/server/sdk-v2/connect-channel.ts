import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Attachment } from '../../runtime/attach/attach-service.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { ConnectionDirect } from '../direct/connection-direct.ts';
import { ALONE } from '../direct/direct-peer.ts';
import type { EraChannel } from '../era/era-channel.ts';
import type { EraServer } from '../era/era-switch.ts';
import type { DirectDoor, ServerSurface } from '../server-surface.ts';
import { createModernServer } from './create-modern-server.ts';

/** Serves the messages of 2026-07-28 of a connection, whatever that is: the SDK calls all of them stdio. */
export async function connectChannel(surface: ServerSurface, channel: EraChannel): Promise<EraServer> {
  let attachment: Attachment | undefined;
  const { logger } = surface;
  const attachmentNotify = (change: SurfaceChange): void => attachment?.notify(change);
  const handle = serveStdio(
    () => {
      const created = createModernServer(surface);
      attachment = created.attachment;
      return created.server;
    },
    {
      legacy: 'reject',
      transport: channel,
      onerror: (cause) => {
        logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
      },
    },
  );
  const served = { notify: attachmentNotify, close: () => handle.close() };
  if (surface.direct === undefined) return served;
  const direct = directOf(surface, surface.direct, channel);
  return {
    ...served,
    take: (message, extra) => direct.take(message, extra),
    end: () => {
      direct.end();
    },
  };
}

function directOf({ logger }: ServerSurface, door: DirectDoor, channel: EraChannel): ConnectionDirect {
  return new ConnectionDirect({
    era: 'modern',
    door,
    channel,
    // Every request says who asks.
    isOpen: () => true,
    report: (cause) => {
      logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
    },
    peerOf: (_id, { authInfo, cancellation, counts, sessionId }) => ({
      authInfo,
      cancellation,
      counts,
      sessionId,
      http: undefined,
      releaseStream: undefined,
      canLog: true,
      connection: ALONE,
      notify: (notification) => channel.send(notification),
      ask: () => Promise.reject(new Error('Nobody can be asked while a request runs')),
    }),
  });
}
