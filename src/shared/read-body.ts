import { ByteCollector } from './byte-collector.ts';

/** All bytes of a body; undefined for one with more than the limit, of which no more is read. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | undefined> {
  const collector = new ByteCollector(limit);
  if (body === null) return collector.take();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return collector.take();
    if (collector.add(value)) continue;
    await reader.cancel();
    return undefined;
  }
}
