import { copyOptions } from '../../metadata/copy-options.ts';
import { methodDecorator, refuseFurther } from '../../metadata/decorator-target.ts';
import { appendRecord } from '../../metadata/records.ts';
import type { IdempotentOptions } from './idempotent.ts';

/**
 * Says that running an action twice has the effect of running it once. With a `key`, the framework sees to that: a
 * repeated call gets the result of the first one, and the handler does not run.
 * Actions are not idempotent by default; a tool is, if all of its actions are.
 *
 * @example
 * @Action('Close a task') @Idempotent() close(input: TaskRef) {}
 */
export function Idempotent(options?: IdempotentOptions, ...further: never[]): MethodDecorator {
  const decorator = '@Idempotent';
  refuseFurther(decorator, 1, further, "@Idempotent({ key: 'idempotencyKey', ttl: 3_600_000 })");
  const copy = options === undefined ? undefined : copyOptions(options);
  return methodDecorator(decorator, (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'idempotent' });
    if (copy === undefined) return;
    appendRecord(target, { kind: 'feature', feature: 'idempotency', decorator, member, options: copy });
  });
}
