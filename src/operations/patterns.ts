import type { OperationFacts } from './operation.ts';

/** Selects operations: `GET /tasks/*`, `tasks.*`, `#tag`, `Controller.member`, or a function. */
export type OperationPattern = string | ((operation: OperationFacts) => boolean);

/** An operation as patterns may know it: as it came, in its derived group, and as it is shown. */
export type Views = readonly OperationFacts[];

/** Whether a pattern selects an operation by any of its names. */
export function isMatch(pattern: OperationPattern, views: Views): boolean {
  if (typeof pattern === 'function') return views.some(pattern);
  if (pattern.startsWith('#')) return views.some(({ tags }) => tags.includes(pattern.slice(1)));
  const fits = matcherFor(pattern);
  return views.some((view) => namesFor(view).some(fits));
}

/** Named by the word itself. What selects many, as a tag or a function may, does not lift a reason by accident. */
export function isExact(pattern: OperationPattern, views: Views): boolean {
  return typeof pattern === 'string' && views.some((view) => namesFor(view).includes(pattern));
}

/** The names that patterns without a `#` are compared with. */
export function namesFor({ key, origin, group, name }: OperationFacts): readonly string[] {
  return [key, origin, `${group}.${name}`];
}

/** The longer its literal parts, the more exact is a pattern. */
export function exactness(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : 1_000 + pattern.length;
}

/** Whether a text fits a pattern, in which `*` stands for any text. */
export function matcherFor(pattern: string): (text: string) => boolean {
  const [first = '', ...further] = pattern.split('*');
  if (further.length === 0) return (text) => text === pattern;
  const last = further.pop() ?? '';
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let rest = text.slice(first.length, text.length - last.length);
    return further.every((part) => {
      const found = rest.indexOf(part);
      if (found < 0) return false;
      rest = rest.slice(found + part.length);
      return true;
    });
  };
}
