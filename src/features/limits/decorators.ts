import { copyOptions } from '../../metadata/copy-options.ts';
import { classOrMethodDecorator } from '../../metadata/decorator-target.ts';
import type { RateLimitOptions } from '../../metadata/rate-options.ts';
import { appendRecord } from '../../metadata/records.ts';
import type { ConcurrencyOptions, QuotaOptions } from './counted-limits.ts';

/**
 * Refuses calls with `RATE_LIMITED` that come too often, and says when to try again. It counts for one action, prompt or
 * resource, or for all of a class and of the groups below it together. Several may stand there: a call has to fit all of
 * them, and a refused one is not counted.
 *
 * @example
 * @Action('Send a message') @RateLimit({ limit: 10, per: 'minute', burst: 3 })
 * send(input: TaskRef) {}
 */
export function RateLimit(options: RateLimitOptions): ClassDecorator & MethodDecorator {
  return limitDecorator('@RateLimit', options);
}

/**
 * Refuses calls with `QUOTA_EXCEEDED` when there were too many in the hour, day or month of the calendar (UTC). It counts
 * like `@RateLimit`.
 *
 * @example
 * @Action('Translate a text') @Quota({ limit: 1000, per: 'day', by: 'tenant' })
 * translate(input: TaskRef) {}
 */
export function Quota(options: QuotaOptions): ClassDecorator & MethodDecorator {
  return limitDecorator('@Quota', options);
}

/**
 * Limits how many calls run at the same time; a further one waits in the queue, or is refused with
 * `CONCURRENCY_LIMITED`. A call counts until its handler has ended, also after its time limit.
 *
 * @example
 * @Action('Render a report') @Concurrency({ limit: 2, by: 'all', queue: { size: 10, timeout: 30_000 } })
 * render(input: TaskRef) {}
 */
export function Concurrency(options: ConcurrencyOptions): ClassDecorator & MethodDecorator {
  return limitDecorator('@Concurrency', options);
}

function limitDecorator(decorator: string, options: object): ClassDecorator & MethodDecorator {
  const copy = copyOptions(options);
  return classOrMethodDecorator(decorator, (target, member) => {
    appendRecord(target, { kind: 'feature', feature: 'limits', decorator, member, options: copy });
  });
}
