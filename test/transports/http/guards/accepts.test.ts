import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accepts } from '../../../../src/transports/http/guards/accepts.ts';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { serve } from '../../../support/http-server.ts';
import { initialize, INITIALIZE, JSON_HEADERS, send } from '../../../support/raw-http.ts';

const [JSON_TYPE, STREAM] = ['application/json', 'text/event-stream'];

test.each([
  [null, true, true],
  ['', false, false],
  ['*/*', true, true],
  ['application/json, text/event-stream', true, true],
  ['Application/JSON, TEXT/Event-Stream', true, true],
  ['application/*, text/*', true, true],
  ['application/json;q=1, text/event-stream;q=0.5', true, true],
  ['application/json ; Q=0.001\t,text/event-stream; charset="UTF-8"', true, true],
  ['*/*;q=0.1, text/event-stream;q=0', true, false],
  ['text/event-stream, */*;q=0', false, true],
  ['application/*;q=0, application/json', true, false],
  ['application/json;profile="a, text/event-stream; q=0"', true, false],
  ['application/json;version=2;q=0, application/json', true, false],
  ['application/json;q=2, text/event-stream;q=', false, false],
  ['application/jsonp, text/event-streams', false, false],
  ['*/json, *', false, false],
  [',, text/event-stream,', false, true],
] as const)('of an Accept %j', (accept, json, stream) => {
  expect([accepts(accept, JSON_TYPE), accepts(accept, STREAM)]).toEqual([json, stream]);
});

const RANGES = ['*/*', 'application/*', 'text/*', JSON_TYPE, STREAM, 'text/html', 'application/jsonp'];

test('the most specific range that matches decides, in any order and spelling', () => {
  const range = fc.record({
    range: fc.constantFrom(...RANGES),
    weight: fc.constantFrom(undefined, '0', '0.0', '0.5', '1', '1.000'),
    isLoud: fc.boolean(),
    space: fc.constantFrom('', ' ', '\t '),
  });
  const list = fc.uniqueArray(range, { selector: (each) => each.range });
  fc.assert(
    fc.property(list, (ranges) => {
      const header = ranges
        .map(({ range: name, weight, isLoud, space }) => {
          const text = `${space}${name}${space}${weight === undefined ? '' : `;${space}q=${weight}`}${space}`;
          return isLoud ? text.toUpperCase() : text;
        })
        .join(',');
      for (const type of [JSON_TYPE, STREAM]) {
        const [main = ''] = type.split('/');
        const closest = [type, `${main}/*`, '*/*'].find((name) => ranges.some((each) => each.range === name));
        const weight = ranges.find((each) => each.range === closest)?.weight;
        const expected = closest !== undefined && Number(weight ?? 1) > 0;
        expect([header, accepts(header, type)]).toEqual([header, expected]);
      }
    }),
    { numRuns: 200 },
  );
});

describe.each([
  ['that may answer with a stream', {}, 406],
  ['that answers with JSON only', { json: true }, 200],
] as [string, Partial<HttpOptions>, number][])('a server %s', (_, options, plain) => {
  test('reads the header of a POST as RFC 9110 says', async () => {
    const { url } = await serve(options);
    const post = async (accept: string): Promise<number> =>
      (await send(url, { body: INITIALIZE, headers: { accept } })).status;
    expect(await post('*/*')).toBe(200);
    expect(await post('Application/*, Text/Event-Stream;q=0.1')).toBe(200);
    expect(await post(JSON_TYPE)).toBe(plain);
    expect(await post(STREAM)).toBe(406);
    expect(await post('*/*, application/json;q=0')).toBe(406);
  });

  test('reads that of a GET in the same way', async () => {
    const { url } = await serve(options);
    const session = await initialize(url);
    const get = async (accept: string): Promise<number> => {
      const response = await fetch(url, { headers: { ...JSON_HEADERS, accept, 'mcp-session-id': session } });
      await response.body?.cancel();
      return response.status;
    };
    expect(await get(JSON_TYPE)).toBe(406);
    expect(await get('text/event-stream;q=0, */*')).toBe(406);
    expect(await get('text/event-streams')).toBe(406);
    expect(await get('TEXT/*')).toBe(200);
  });
});
