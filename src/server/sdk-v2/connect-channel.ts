import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Attachment } from '../../runtime/attach/attach-service.ts';
import type { EraChannel } from '../era/era-channel.ts';
import type { EraServer } from '../era/era-switch.ts';
import type { ServerSurface } from '../server-surface.ts';
import { createModernServer } from './create-modern-server.ts';

/** Serves the messages of 2026-07-28 of a connection, whatever that is: the SDK calls all of them stdio. */
export async function connectChannel(surface: ServerSurface, channel: EraChannel): Promise<EraServer> {
  let attachment: Attachment | undefined;
  const { logger } = surface;
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
  return { notify: (change) => attachment?.notify(change), close: () => handle.close() };
}
