import type { Confirm } from '../../metadata/options.ts';
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
