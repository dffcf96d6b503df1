/** The same response; `done` runs once, when its body was read to the end, was cancelled, or broke. */
export function trackBody(response: Response, done: () => void): Response {
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
