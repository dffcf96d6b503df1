import type { AskOriginal, BoundRule } from '../rules/inline-rule.ts';

const PROBES: readonly unknown[] = [
  ...[undefined, null, true, '', 'some text', 0, 12, -1.5, Number.NaN, Number.POSITIVE_INFINITY],
  ...[[], ['a', 'b'], {}, { a: 1 }, new Date(86_400_000)],
];

/**
 * Names can be taken: `registerDecorator({ name: 'isString' })`. So a rule stands in for a validator only if
 * both give the same answer for every probe; a validator that throws at one is another one.
 */
export function agrees(rule: BoundRule, original: AskOriginal): boolean {
  const isSame = (value: unknown): boolean => original(value) === rule.test(value);
  try {
    return PROBES.every(isSame) && (rule.probes ?? []).every(isSame) && (rule.isOriginal?.() ?? true);
  } catch {
    return false;
  }
}
