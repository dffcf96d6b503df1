/**
 * The same response; `taken` gets each chunk that is read, and `done` runs once, when its body was read to the
 * end, was cancelled, or broke.
 */
export function trackBody(
  response: Response,
  taken: (chunk: Uint8Array) => void,
  done: () => void = () => undefined,
): Response {
  const { body } = response;
  if (body === null) {
    done();
    return response;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const tracked = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done: isEnd } = await reader.read();
        if (!isEnd) {
          taken(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      done();
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  return new Response(tracked, { status: response.status, headers: response.headers });
}
