import { copyOptions } from '../../metadata/copy-options.ts';
import { methodDecorator, refuseFurther } from '../../metadata/decorator-target.ts';
import type { Confirm } from '../../metadata/options.ts';
import { appendRecord } from '../../metadata/records.ts';
import { either, objectOf, oneOf, trueOrFalse } from '../../shared/option-rules.ts';

/** Options of `@Destructive`. */
export interface DestructiveOptions {
  /**
   * `true` asks a person before each call, through the client. A client that cannot ask anybody gets
   * `CONSENT_UNAVAILABLE`. With `'twice'`, a first call does nothing and gets `CONSENT_REQUIRED`, with a preview and a
   * `confirmation` that the second call brings, within 5 minutes. With `'url'`, the person that the call is made for has to
   * agree on a page of the application where they sign in (option `consent`). Default false: the mark is a hint then.
   */
  readonly confirm?: Confirm;
}

export const destructiveRule = objectOf<DestructiveOptions>({
  confirm: either(trueOrFalse, oneOf('twice', 'url')),
});

/** How calls of an action are agreed to, where they are. */
export type ConsentMode = Exclude<Confirm, false>;

/**
 * Says that an action may destroy something. With `confirm`, a person is asked before each call.
 * Actions are not destructive by default; a tool is, if any of its actions is.
 *
 * @example
 * @Action('Delete a task for good') @Destructive({ confirm: true }) delete(input: TaskRef) {}
 */
export function Destructive(options?: DestructiveOptions, ...further: never[]): MethodDecorator {
  const decorator = '@Destructive';
  refuseFurther(decorator, 1, further, '@Destructive({ confirm: true })');
  const copy = options === undefined ? undefined : copyOptions(options);
  return methodDecorator(decorator, (target, member) => {
    appendRecord(target, { kind: 'mark', member, mark: 'destructive' });
    if (copy === undefined) return;
    appendRecord(target, { kind: 'feature', feature: 'consent', decorator, member, options: copy });
  });
}
