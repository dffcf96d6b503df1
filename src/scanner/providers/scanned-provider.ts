import type { Scope } from '../../metadata/module-options.ts';
import type { Class, Token } from '../../shared/class-type.ts';
import type { Registration } from './user-container.ts';

/** Identifies one provider of one module: two modules may provide different values for one token. */
export type ProviderKey = symbol;

/** A provider whose dependencies are resolved to keys: plain data, no instance. */
export interface ScannedProvider {
  readonly key: ProviderKey;
  readonly token: Token;
  /** The name of the module that declares it. */
  readonly module: string;
  /** Its name in messages: `TaskStore`, or `"DATABASE"`. */
  readonly where: string;
  readonly scope: Scope;
  /** True when it is request-scoped, or a transient or alias that reaches a request-scoped one. */
  readonly isPerCall: boolean;
  readonly recipe: ProviderRecipe;
  /** In the order of the constructor's or factory's parameters. */
  readonly dependencies: readonly ScannedDependency[];
}

export interface ScannedDependency {
  /** Undefined for an optional dependency without a provider. */
  readonly key: ProviderKey | undefined;
}

export type ProviderRecipe =
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'factory'; readonly create: (...dependencies: never[]) => unknown }
  | { readonly kind: 'existing'; readonly target: ProviderKey }
  /** The context of the call; the container hands out the one its scope was opened with. */
  | { readonly kind: 'context' }
  | RegisteredRecipe
  | ComposedRecipe;

/** The user's tsyringe container gives it, and takes care of it. */
export interface RegisteredRecipe {
  readonly kind: 'registered';
  readonly registration: Registration;
  /** The class that is registered, if one is. */
  readonly type: Class | undefined;
}

/** Handed on from other providers, as a decorator of tsyringe says. */
export interface ComposedRecipe {
  readonly kind: 'composed';
  /** Each dependency is read when the function asks for it. */
  readonly compose: (reads: readonly (() => unknown)[]) => unknown;
  /** The same object in the next scan, if it is the same. */
  readonly source: object;
}
