import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { HttpTransport, readEvents, type ServerEvent } from '../../src/client/http-transport.ts';

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function eventsOf(chunks: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(streamOf(chunks))) events.push(event);
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

test.each<[string, unknown, string]>([
  ['the message', new Error('refused'), 'refused'],
  ['the name of an error without message', new RangeError(''), 'RangeError'],
  ['what was thrown instead of an error', 'gone', 'gone'],
  ['its cause, which says more', new TypeError('fetch failed', { cause: new Error('refused') }), 'refused'],
])('a request that fails says why: %s', async (_name, thrown, reason) => {
  const transport = new HttpTransport('http://127.0.0.1:1/mcp', {
    fetch: jest.fn<typeof fetch>().mockRejectedValue(thrown),
  });
  const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await expect(sent).rejects.toThrow(`http://127.0.0.1:1/mcp cannot be reached: ${reason}.`);
});
