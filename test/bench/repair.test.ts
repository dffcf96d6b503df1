import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { INTENDED_CALLS, malformCalls, SEEDS, type ListedTool } from '../../bench/repair/calls.ts';
import { attemptCalls, summarize } from '../../bench/repair/measure.ts';
import { repairCall, RULE_NAMES } from '../../bench/repair/rules.ts';

interface Recorded {
  readonly name: string;
  readonly tools: readonly ListedTool[];
  /** In the order of the calls; null where the server took the call as it was. */
  readonly texts: readonly (string | null)[];
}

const RECORDS = join(import.meta.dirname, '../../bench/repair/error-texts.jsonl.gz');
const records = gunzipSync(readFileSync(RECORDS))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const calls = SEEDS.flatMap((seed) => malformCalls(seed, 150));

test('a seed repeats its calls, which are all different, and none is the one that was meant', () => {
  expect(malformCalls('six tools, first half', 150)).toEqual(calls.slice(0, 150));
  const different = [calls.slice(0, 150), calls.slice(150)].map(
    (half) => new Set(half.map(({ call }) => JSON.stringify(call))).size,
  );
  expect(different).toEqual([150, 150]);
  expect(calls.filter(({ call, intended }) => JSON.stringify(call) === JSON.stringify(intended))).toEqual([]);
});

test.each(['toolwright', 'sdk-v2 strict'])(
  'each rule repairs calls by the recorded texts of %s',
  (server) => {
    const { tools = [], texts = [] } = records.find(({ name }) => name === server) ?? {};
    const idle = new Set(RULE_NAMES);
    for (const [index, { call }] of calls.entries()) {
      if (idle.size === 0) break;
      for (const rule of repairCall(call, texts[index] ?? '', tools).rules) idle.delete(rule);
    }
    expect([...idle]).toEqual([]);
  },
);

test('a repair that a server takes, but that means something else, does not count', async () => {
  const { tools = [] } = records[0] ?? {};
  const [intended] = INTENDED_CALLS;
  if (intended === undefined) throw new Error('There is no call');
  const call = { ...intended, arguments: { ...intended.arguments, source: 1 } };
  const refusedWith = (text: string): ReturnType<typeof attemptCalls> =>
    attemptCalls([{ faults: ['unknown field'], call, intended, lost: [] }], tools, (sent) =>
      Promise.resolve(
        'source' in sent.arguments && 'seats' in sent.arguments
          ? { isError: true, text }
          : { isError: false, text: JSON.stringify(sent.arguments) },
      ),
    );
  const countTokens = (text: string): number => text.length;
  const right = summarize(await refusedWith('source: unknown field'), countTokens);
  expect(right).toMatchObject({ refused: 1, accepted: 1, asMeant: 1, tokens: { median: 21, p90: 21 } });
  const wrong = summarize(await refusedWith('seats: unknown field'), countTokens);
  expect(wrong).toMatchObject({ refused: 1, accepted: 1, asMeant: 0, interval: { share: 0 } });
});
