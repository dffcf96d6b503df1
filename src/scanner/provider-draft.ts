import type { Scope } from '../metadata/options.ts';
import type { Class } from '../shared/class-type.ts';
import type { Token } from '../shared/token.ts';
import type { ModuleNode } from './module-node.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** A provider whose dependencies are not looked up yet. */
export interface ProviderDraft {
  readonly key: ProviderKey;
  readonly token: Token;
  /** The name of the class, or the token. */
  readonly where: string;
  readonly scope: Scope;
  readonly recipe: DraftRecipe;
  /** The module whose view decides what its dependencies are; undefined for what the framework provides. */
  readonly home: ModuleNode | undefined;
}

export type DraftRecipe =
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'factory';
      readonly create: (...dependencies: never[]) => unknown;
      readonly inject: readonly unknown[];
    }
  | { readonly kind: 'existing'; readonly token: Token }
  | { readonly kind: 'context' };

/** What a provider entry says, independent of a module. */
export interface ProviderMeaning {
  readonly token: Token;
  readonly recipe: DraftRecipe;
  readonly scope: Scope;
}
