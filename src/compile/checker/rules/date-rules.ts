import type { BoundRule, InlineRule } from './inline-rule.ts';

/** Rules for dates; a bound may be a function, which is asked for every value. */
export const DATE_RULES: Readonly<Record<string, InlineRule>> = {
  minDate: { says: 'minimal allowed date for', bind: ([bound]) => bindBound(bound, '>=') },
  maxDate: { says: 'maximal allowed date for', bind: ([bound]) => bindBound(bound, '<=') },
};

function bindBound(bound: unknown, operator: '>=' | '<='): BoundRule | undefined {
  const isFunction = typeof bound === 'function';
  if (!isFunction && !(bound instanceof Date)) return undefined;
  const current = (): Date => (isFunction ? (bound as () => Date)() : bound);
  const probes = isFunction ? [] : [-1, 0, 1].map((away) => new Date(bound.getTime() + away));
  return {
    code: (x, use) =>
      `(${x} instanceof Date && ${x}.getTime() ${operator} ${use(bound)}${isFunction ? '()' : ''}.getTime())`,
    test: (x) => {
      if (!(x instanceof Date)) return false;
      const [time, other] = [x.getTime(), current().getTime()];
      return operator === '>=' ? time >= other : time <= other;
    },
    probes: [...probes, new Date(0), new Date(Number.NaN)],
  };
}
