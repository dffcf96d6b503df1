import { describe, expect, test } from '@jest/globals';
import {
  LARGEST_SESSION,
  readSession,
  writeSession,
} from '../../../../../src/explorer/page/state/traffic/session-file.ts';
import { latestOf, type Span } from '../../../../../src/explorer/page/state/traffic/span.ts';

function spanWith(id: number, length: number): Span {
  const messages = [{ at: 1, direction: 'received', message: 'x'.repeat(length) }] as const;
  return { id, kind: 'request', method: 'tools/call', subject: '', at: 1, state: 'done', messages };
}

const ids = (spans: readonly Span[]): readonly number[] => spans.map(({ id }) => id);

describe('the spans that are kept', () => {
  test('are the latest 500', () => {
    const spans = Array.from({ length: 510 }, (_, index) => spanWith(index, 1));
    expect(ids(latestOf(spans))).toEqual(ids(spans.slice(10)));
  });

  test('can be saved and opened again, however large their messages are', () => {
    const large = Array.from({ length: 20 }, (_, index) => spanWith(index, 5_000_000));
    const kept = latestOf(large);
    expect(ids(kept)).toEqual([14, 15, 16, 17, 18, 19]);
    const text = writeSession({ server: { name: 'a', version: '1' }, savedAt: 'now', spans: kept });
    expect(text.length).toBeLessThan(LARGEST_SESSION);
    expect(readSession(text).spans).toHaveLength(kept.length);
  });

  test('have the last one, even if it is too large by itself', () => {
    expect(ids(latestOf([spanWith(1, 1), spanWith(2, 40_000_000)]))).toEqual([2]);
    expect(latestOf([])).toEqual([]);
  });
});
