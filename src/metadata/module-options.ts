import type { Class, ClassReference, Token } from '../shared/class-type.ts';

/** The lifetime of an instance: one per application, per call, or per injection. */
export type Scope = 'singleton' | 'request' | 'transient';

/** Options of `@Injectable`. */
export interface InjectableOptions {
  /** Default `singleton`. */
  readonly scope?: Scope;
}

/** Options of `@Inject`. */
export interface InjectOptions {
  /** Injects `undefined` if there is no provider. Default false. */
  readonly optional?: boolean;
}

/** Options of `@Readiness`. */
export interface ReadinessCheckOptions {
  /** Milliseconds after which a run counts as failed. Default: `operations.readiness.timeout`. */
  readonly timeout?: number;
}

/** A provider whose instances are those of a class. */
export interface ClassProvider<T = unknown> {
  /** The token that the instance is injected by. */
  readonly provide: Token<T>;
  /** The class of the instance. */
  readonly useClass: Class<T>;
  /** How long an instance lives. Default: that of `@Injectable` on the class, else `singleton`. */
  readonly scope?: Scope;
}

/** A provider that is a value already. */
export interface ValueProvider<T = unknown> {
  /** The token that the value is injected by. */
  readonly provide: Token<T>;
  /** The value. */
  readonly useValue: T;
}

/** A provider with instances created by a function from the values of the tokens in `inject`. */
export interface FactoryProvider<T = unknown> {
  /** The token that the value is injected by. */
  readonly provide: Token<T>;
  /** May be async, unless the scope is transient. Receives what `inject` names, in that order. */
  readonly useFactory: (...dependencies: never[]) => T | Promise<T>;
  /** The tokens of the function's parameters, in order. Default: none. */
  readonly inject?: readonly (Token | { readonly token: Token; readonly optional: true })[];
  /** How long a value lives. Default `singleton`. */
  readonly scope?: Scope;
}

/** A second token for what another token stands for. */
export interface ExistingProvider<T = unknown> {
  /** The token that is added. */
  readonly provide: Token<T>;
  /** The token whose provider it stands for. */
  readonly useExisting: Token<T>;
}

/** What a module provides: a class, or a token with the way to its value. */
export type Provider = Class | ClassProvider | ValueProvider | FactoryProvider | ExistingProvider;

/** What `forRoot()` of a configurable module returns. */
export interface DynamicModule extends Omit<ModuleOptions, 'imports'> {
  /** The class with @Module that this extends. */
  readonly module: Class;
  /** Further modules whose exports the providers of this one may use. Default: none. */
  readonly imports?: readonly ModuleReference[];
}

/** A module as `imports` and `exports` name it; a function for modules that import each other. */
export type ModuleReference = ClassReference | DynamicModule;

/** Options of `@Module`. */
export interface ModuleOptions {
  /** Modules whose exports the providers and controllers of this one may use. Default: none. */
  readonly imports?: readonly ModuleReference[];
  /** Classes with actions, prompts or resources. Default: none. */
  readonly controllers?: readonly Class[];
  /** What this module can inject. Default: nothing of its own. */
  readonly providers?: readonly Provider[];
  /** Tokens, or imported modules whose exports are passed on. */
  readonly exports?: readonly (Token | ModuleReference)[];
  /** Makes the exports visible everywhere. */
  readonly global?: boolean;
}
