import type { Writable } from 'node:stream';

const ignore = (): void => undefined;

/** Without a listener, a stream that nobody reads any more ends the process. One stays, however often it is asked for. */
export function ignoreBroken(stream: Writable): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}
