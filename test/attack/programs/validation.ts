import type { AttackProgram } from '../attack.ts';
import { callOf, timeCalls, type TimedCall } from '../time-call.ts';

export const validation: AttackProgram = {
  name: 'validation',
  measures: 'how long one request with hostile arguments holds the event loop, in milliseconds',
  run: (target) => timeCalls(target, 'validation', attacks(target.isQuick ? 10 : 1)),
};

const list = (count: number, item: (index: number) => string): string =>
  `{"items":[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]}`;
const text = (value: string): string => JSON.stringify({ text: value });

/** @param divisor how much smaller the attacks are that only size makes costly */
function* attacks(divisor: number): Generator<TimedCall> {
  const attack = (tool: string, args: string, label: string): TimedCall => ({
    name: `${tool}: ${label}`,
    body: callOf(tool, args),
    benign: callOf('json-url', text('x'.repeat(args.length))),
  });
  const many = (
    tool: string,
    count: number,
    what: string,
    item: (index: number) => string,
    more = '',
  ): TimedCall => {
    const size = Math.floor(count / divisor);
    return attack(tool, `${list(size, item).slice(0, -1)}${more}}`, `${String(size)} ${what}`);
  };
  yield many('dto-short-texts', 1_900_000, 'numbers', () => '1');
  yield many('dto-few-leaves', 1_300_000, 'empty objects', () => '{}');
  yield many('dto-few-texts', 1_000_000, 'numbers', () => '1');
  yield many('dto-few-texts', 90_000, 'numbers', () => '1');
  yield many('json-leaves', 200_000, 'empty objects', () => '{}');
  yield many('json-leaves', 50_000, 'empty objects', () => '{}');
  yield many('zod-texts', 300_000, 'numbers', () => '1');
  yield many('zod-texts', 90_000, 'numbers', () => '1');
  const names = Array.from({ length: 330_000 / divisor }, (_, index) => `"n${String(index)}":1`).join(',');
  yield attack('dto-few-texts', `{${names}}`, 'unknown fields');
  yield many('dto-leaves', 100_000, 'good items beside a wrong field', () => '{"id":"a"}', ',"title":1');
  yield many('dto-leaves', 45_000, 'good items beside a wrong field', () => '{"id":"a"}', ',"title":1');
  yield many('json-unique', 10_000, 'distinct objects', (index) => `{"a":${String(index)}}`);
  yield many('json-unique', 45_000, 'distinct objects', (index) => `{"a":${String(index)}}`);
  yield many('json-unique', 60_000, 'distinct texts', (index) => `"t${String(index)}"`);
  const last = 99_000 / divisor - 1;
  yield many('dto-unique', 99_000, 'numbers, the last twice', (index) => String(index === last ? 0 : index));
  yield many('dto-unique-by', 45_000, 'objects', (index) => `{"id":${String(index)}}`);
  yield attack('dto-matches', text(`${'a'.repeat(40)}!`), '41 characters');
  yield attack('dto-short-matches', text(`${'a'.repeat(60)}!`), '61 characters');
  yield attack('json-pattern', text(`${'a'.repeat(40)}!`), '41 characters');
  yield attack('json-pattern-names', `{"${'a'.repeat(40)}!":"x"}`, '41 characters');
  yield attack('json-url', text(`http://${'a:a@'.repeat(50_000 / divisor)}`), 'user names');
}
