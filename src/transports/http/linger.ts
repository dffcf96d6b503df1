import type { IncomingMessage } from 'node:http';

const BYTES = 64 * 1024;
const MILLISECONDS = 1000;

/**
 * Resolves when a client that was refused stopped sending, or had its time to notice: a connection that is
 * closed while data comes in loses the answer (RFC 9112, 9.6). It reads a little, and then lets the client block.
 */
export function untilQuiet(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = BYTES;
    const skip = (chunk: Uint8Array): void => {
      left -= chunk.length;
      if (left <= 0) incoming.pause();
    };
    const finish = (): void => {
      clearTimeout(timer);
      incoming.off('data', skip).off('end', finish).off('close', finish);
      resolve();
    };
    const timer = setTimeout(finish, incoming.destroyed ? 0 : MILLISECONDS);
    incoming.on('error', () => undefined);
    incoming.on('data', skip).once('end', finish).once('close', finish).resume();
  });
}
