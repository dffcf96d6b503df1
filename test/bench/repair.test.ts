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

test('a seed repeats its calls, all are different, and none is the one that was meant', () => {
  expect(malformCalls('six tools, first half', 150)).toEqual(calls.slice(0, 150));
  expect(new Set(calls.map(({ call }) => JSON.stringify(call))).size).toBe(300);
  expect(calls.filter(({ call, intended }) => JSON.stringify(call) === JSON.stringify(intended))).toEqual([]);
});

test('each rule repairs calls by the recorded texts of two servers at least', () => {
  const fired = new Map(RULE_NAMES.map((rule) => [rule, new Set<string>()]));
  for (const { name, tools, texts } of records) {
    if (!['toolwright', 'sdk-v2 strict', 'tmcp'].includes(name)) continue;
    for (const [index, { call }] of calls.entries()) {
      const { rules } = repairCall(call, texts[index] ?? '', tools);
      for (const rule of rules) fired.get(rule)?.add(name);
    }
  }
  expect([...fired].filter(([, servers]) => servers.size < 2)).toEqual([]);
});

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
