import { describe, expect, test } from '@jest/globals';
import {
  Backlog,
  BackpressureCounter,
  type BackloggedStream,
} from '../../../../src/transports/http/streams/backpressure-counter.ts';

const KILOBYTE = 1024;
const chunk = (kilobytes: number): Uint8Array => new Uint8Array(kilobytes * KILOBYTE);

function backlogOf(kilobytes: number) {
  const cut: string[] = [];
  const backlog = new Backlog(kilobytes * KILOBYTE, () => undefined);
  const stream = (name: string): BackpressureCounter => {
    const unread = new BackpressureCounter(backlog);
    unread.begin(() => {
      cut.push(name);
      unread.end();
    });
    return unread;
  };
  return { backlog, cut, stream };
}

describe('of what clients leave unread', () => {
  test('the largest is cut, also where it is the one that grows', () => {
    const { cut, stream } = backlogOf(1000);
    const [small, large] = [stream('small'), stream('large')];
    small.add(chunk(200));
    for (let count = 0; count < 9; count += 1) large.add(chunk(100));
    expect(cut).toEqual(['large']);
    expect([small.size, large.size]).toEqual([200 * KILOBYTE, 0]);
  });

  test('a stream that grows alone beyond the bound is cut', () => {
    const { cut, stream } = backlogOf(1000);
    const alone = stream('alone');
    for (let count = 0; count < 11; count += 1) alone.add(chunk(100));
    expect(cut).toEqual(['alone']);
  });

  test('what was just written is cut last, and never for being large', () => {
    const { cut, stream } = backlogOf(1000);
    const [old, young] = [stream('old'), stream('young')];
    old.add(chunk(300));
    young.add(chunk(2000));
    expect(cut).toEqual(['old']);
  });

  test('an answer that has just been written stays while there is another to cut', () => {
    const { backlog, cut, stream } = backlogOf(1000);
    stream('stream').add(chunk(600));
    const answer: BackloggedStream = { size: 900 * KILOBYTE, cut: () => void cut.push('answer') };
    backlog.grow(answer);
    expect(cut).toEqual(['stream']);
  });
});
