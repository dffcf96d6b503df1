import type { Class } from '../shared/class-type.ts';
import type { ProviderKey } from './scanned-provider.ts';

/** A module of the application: the lists of @Module and of a dynamic module put together. */
export interface ModuleNode {
  /** The key of the module class as a provider. */
  readonly key: ProviderKey;
  readonly type: Class;
  readonly name: string;
  readonly isGlobal: boolean;
  readonly imports: readonly ModuleNode[];
  readonly controllers: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly exports: readonly unknown[];
  /** The dynamic module object it came from. */
  readonly source: object | undefined;
}
