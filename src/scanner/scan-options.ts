import type { Logger } from '../call/logger.ts';
import type { Notifier } from '../call/notifier.ts';
import type { Describe, Expose, UnknownFields } from '../metadata/options.ts';
import type {
  ClassProvider,
  ExistingProvider,
  FactoryProvider,
  ValueProvider,
} from '../metadata/module-options.ts';
import type { Slots } from '../shared/slots.ts';
import type { UserContainer } from './providers/user-container.ts';
import type { ScanFacet } from './scan-facet.ts';

/** Replaces the provider of a token in every module that provides it. */
export type ProviderOverride = ClassProvider | ValueProvider | FactoryProvider | ExistingProvider;

/** The scanner's input besides the root module. */
export interface ScanOptions {
  /** The application's name, for messages. */
  readonly name: string;
  /** Middleware around every action, prompt and resource; classes are looked up in the root module. */
  readonly middleware: readonly unknown[];
  readonly overrides: readonly ProviderOverride[];
  /** The user's tsyringe container. Undefined: there is none. */
  readonly container?: UserContainer | undefined;
  /** The instance that is injected for the token `Logger`. */
  readonly logger: Logger;
  /** The instance that is injected for the token `Notifier`. */
  readonly notifier: Notifier;
  readonly expose?: Expose | undefined;
  readonly describe?: Describe | undefined;
  readonly unknownFields?: UnknownFields | undefined;
  /** For actions that do not say. */
  readonly openWorld?: boolean | undefined;
  /** The features whose decorators are read. */
  readonly features?: readonly ScanFacet[];
  /** What they keep where an action and its groups say nothing. */
  readonly around?: Slots;
}
