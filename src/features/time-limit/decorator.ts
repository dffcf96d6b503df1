import { classOrMethodDecorator } from '../../metadata/decorator-target.ts';
import { appendRecord } from '../../metadata/records.ts';

/**
 * Ends a call with `TIMED_OUT` when it takes longer, and aborts `ctx.signal`. It counts for one action, prompt or
 * resource, or for all of a class and of the groups below it; the nearest wins, and `Infinity` lifts an outer limit.
 * Waiting for a person does not count.
 *
 * @example
 * @Action('Search the archive') @Timeout(5_000)
 * search(input: Query, ctx: ToolContext) {
 *   return fetch(`https://archive.example/?q=${input.text}`, { signal: ctx.signal }).then((found) => found.json());
 * }
 */
export function Timeout(milliseconds: number): ClassDecorator & MethodDecorator {
  return classOrMethodDecorator('@Timeout', (target, member) => {
    appendRecord(target, {
      kind: 'feature',
      feature: 'time-limit',
      decorator: '@Timeout',
      member,
      options: milliseconds,
    });
  });
}
