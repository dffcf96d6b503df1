import type { UnreadEvents } from '../http/unread-events.ts';

const encoder = new TextEncoder();

/**
 * The same event stream, read as soon as something is written, so that it is known how much its client has not
 * read. The SDK's handler would keep all of it for ever.
 * @param endsWhenFull ends the stream then; a client whose subscription ended knows that it missed something
 * @param lastWords the JSON of what is still to be said when the SDK ends it
 */
export function readAhead(
  response: Response,
  unread: UnreadEvents,
  endsWhenFull: boolean,
  lastWords: () => string | undefined,
): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const isLast = (chunk: Uint8Array): boolean => {
        unread.add(chunk);
        return endsWhenFull && unread.isFull;
      };
      void forward(reader, controller, { isLast, lastWords });
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, headers });
}

interface ForwardOptions {
  readonly isLast: (chunk: Uint8Array) => boolean;
  readonly lastWords: () => string | undefined;
}

async function forward(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  { isLast, lastWords }: ForwardOptions,
): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) {
        const words = lastWords();
        if (words !== undefined) controller.enqueue(encoder.encode(`event: message\ndata: ${words}\n\n`));
        break;
      }
      controller.enqueue(value);
      if (!isLast(value)) continue;
      await reader.cancel();
      break;
    }
    controller.close();
  } catch (error) {
    // A client that went away closed the controller already; then there is nobody to tell.
    controller.error(error);
  }
}
