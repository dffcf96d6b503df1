import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEvents, type ServerEvent } from '../../src/client/server-events.ts';

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function eventsOf(chunks: readonly Uint8Array[], bytes = 100_000): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = [];
  const limit = { bytes, tooLarge: () => new Error('too large') };
  for await (const event of readEvents(streamOf(chunks), limit)) events.push(event);
  return events;
}

test('reads data of several lines, ids, times to come back, and skips comments', async () => {
  const text =
    ': comment\n\nid: 7\nretry: 250\ndata: {"a":\ndata: 1}\n\nevent: message\ndata:x\n\ndata: unfinished';
  expect(await eventsOf([Buffer.from(text)])).toEqual([
    { data: '{"a":\n1}', id: '7', retry: 250 },
    { data: 'x', id: undefined, retry: undefined },
  ]);
});

test('gives the same events wherever the bytes are cut, with every kind of line break', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'ö', '😀', ' ', ':', '{'), maxLength: 12 });
  const breaks = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      breaks,
      fc.array(fc.nat(200)),
      async (lines, end, cuts) => {
        const text = lines.map((data) => `data: ${data}${end}${end}`).join('');
        const bytes = Buffer.from(text);
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect((await eventsOf(chunks)).map(({ data }) => data)).toEqual(lines);
      },
    ),
  );
});

test('an event may have as many bytes as allowed, in one line or several, however they are cut', async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'ö'), maxLength: 8 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(lines, { maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (events, step) => {
        const written = events.map((data) => data.map((line) => `data: ${line}\n`));
        const largest = Math.max(1, ...written.map((each) => Buffer.byteLength(each.join('')) - each.length));
        const bytes = Buffer.from(written.map((each) => `${each.join('')}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
          bytes.subarray(index * step, (index + 1) * step),
        );
        const sent = events.filter((data) => data.length > 0).map((data) => data.join('\n'));
        expect((await eventsOf(chunks, largest)).map(({ data }) => data)).toEqual(sent);
        if (sent.length > 0) await expect(eventsOf(chunks, largest - 1)).rejects.toThrow('too large');
      },
    ),
    { numRuns: 50 },
  );
});
