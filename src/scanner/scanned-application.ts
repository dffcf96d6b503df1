import type { UserDecorator } from '../call/middleware.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { Class } from '../shared/class-type.ts';
import type { Token } from '../shared/token.ts';
import type { ProviderKey, ScannedProvider } from './scanned-provider.ts';
import type { ScannedPrompt } from './scanned-prompt.ts';
import type { ScannedResource } from './scanned-resource.ts';
import type { ScannedTool } from './scanned-tool.ts';

/** An application, resolved and checked: plain frozen data. */
export interface ScannedApplication {
  /** Imported modules before those that import them. */
  readonly modules: readonly ScannedModule[];
  /** Dependencies before those that need them. Controllers and module classes are among them. */
  readonly providers: readonly ScannedProvider[];
  /** Modules depth-first as declared, controllers as listed, actions in source order. */
  readonly tools: readonly ScannedTool[];
  /** In the same order as the tools. */
  readonly prompts: readonly ScannedPrompt[];
  readonly resources: readonly ScannedResource[];
  /** Every use of a user decorator on the application's classes. */
  readonly records: readonly ScannedUserRecord[];
  /** What is no mistake for sure; it is logged. */
  readonly warnings: readonly Problem[];
}

export interface ScannedModule {
  readonly name: string;
  /** The key of the module class itself, which may have hooks and dependencies. */
  readonly key: ProviderKey;
  readonly controllers: readonly ProviderKey[];
  /** What can be injected in this module: its own, its imports' exports, global exports. */
  readonly visible: ReadonlyMap<Token, ProviderKey>;
}

export interface ScannedUserRecord {
  readonly decorator: UserDecorator<unknown>;
  readonly target: Class;
  /** Undefined when it stands on the class. */
  readonly member: string | symbol | undefined;
  readonly value: unknown;
}
