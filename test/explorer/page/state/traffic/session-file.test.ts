import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  LARGEST_SESSION,
  readSession,
  SessionFault,
  writeSession,
  type SavedSession,
} from '../../../../../src/explorer/page/state/traffic/session-file.ts';
import { SPAN_KINDS, SPAN_STATES } from '../../../../../src/explorer/page/state/traffic/span.ts';

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const head = fc.record({ line: fc.string(), headers: fc.dictionary(fc.string(), fc.string()) });
const passed = fc.record(
  {
    at: time,
    direction: fc.constantFrom('sent' as const, 'received' as const),
    message: fc.jsonValue(),
    http: fc.record({ request: head, response: head }),
  },
  { requiredKeys: ['at', 'direction', 'message'] },
);
const span = fc.record(
  {
    id: fc.constant(0),
    kind: fc.constantFrom(...SPAN_KINDS),
    method: fc.string({ unit: 'binary' }),
    subject: fc.string({ unit: 'binary' }),
    at: time,
    duration: fc.integer({ min: 0, max: 1_000_000 }),
    state: fc.constantFrom(...SPAN_STATES),
    status: fc.string(),
    messages: fc.array(passed, { maxLength: 5 }),
    client: fc.string({ unit: 'binary' }),
  },
  { requiredKeys: ['id', 'kind', 'method', 'subject', 'at', 'state', 'messages'] },
);
const session = fc.record({
  server: fc.record({ name: fc.string({ unit: 'binary' }), version: fc.string() }),
  savedAt: fc.string(),
  spans: fc.array(span, { maxLength: 8 }).map((all) => all.map((one, index) => ({ ...one, id: index + 1 }))),
});

/** As JSON has it: no lone surrogates in other forms, no -0. */
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const EMPTY: SavedSession = { server: { name: 'a', version: '1' }, savedAt: 'now', spans: [] };
const HEAD = writeSession(EMPTY);
const LINE = { kind: 'request', method: 'm', subject: 's', at: 1, state: 'done', messages: [] };

describe('a saved session', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(session, (given) => {
        expect(asJson(readSession(writeSession(given)))).toEqual(asJson(given));
      }),
    );
  });

  test('is read, or refused with a reason, whatever a file says', () => {
    const lines = fc.array(
      fc.oneof(fc.string(), fc.json(), fc.constant(HEAD.trim()), fc.constant(JSON.stringify(LINE))),
    );
    fc.assert(
      fc.property(lines, (given) => {
        let fault: unknown;
        try {
          // The last line may end as files do
          const text = given.join('\n');
          expect(readSession(text).spans.length).toBe(text.replace(/\n$/, '').split('\n').length - 1);
        } catch (error) {
          fault = error;
        }
        expect(fault === undefined || fault instanceof SessionFault).toBe(true);
      }),
    );
  });

  test.each([
    ['', 'Line 1 of the file cannot be read: it is not JSON.'],
    ['<html><script>alert(1)</script></html>', 'Line 1 of the file cannot be read: it is not JSON.'],
    ['{}', 'The file is not a saved session: its first line says nothing of one.'],
    [HEAD.replace('"version":1', '"version":2'), 'The file has version 2 of the format; this page reads 1.'],
    [`${HEAD}{"kind":`, 'Line 2 of the file cannot be read: it is not JSON.'],
    [`${HEAD}[]`, 'Line 2 of the file cannot be read: it is not an object.'],
    [
      `${HEAD}${JSON.stringify({ ...LINE, kind: 'x' })}`,
      'Line 2 of the file cannot be read: it has no known kind or state.',
    ],
    [
      `${HEAD}${JSON.stringify({ ...LINE, at: 1e300 })}`,
      'Line 2 of the file cannot be read: it has no time.',
    ],
    [
      `${HEAD}${JSON.stringify({ ...LINE, messages: [{ at: 1, direction: 'up' }] })}`,
      'Line 2 of the file cannot be read: a message has no time or no direction.',
    ],
    [
      `${HEAD}${JSON.stringify({ ...LINE, messages: [{ at: 1, direction: 'sent', http: { request: {} } }] })}`,
      'Line 2 of the file cannot be read: what HTTP said is not readable.',
    ],
    [
      `${HEAD}{"messages":${'['.repeat(300)}${']'.repeat(300)}}`,
      'Line 2 of the file cannot be read: it is nested too deeply.',
    ],
    [`${HEAD}${`${JSON.stringify(LINE)}\n`.repeat(10_001)}`, 'The file has more than 10000 spans.'],
    [' '.repeat(LARGEST_SESSION + 1), 'The file is too large for a session.'],
  ])('is refused with a reason (%#)', (text, reason) => {
    expect(() => readSession(text)).toThrow(new SessionFault(reason));
  });
});
