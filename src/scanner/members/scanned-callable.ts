import type { MiddlewareFunction, UserDecoratorValue } from '../../call/middleware.ts';
import type { IconOptions, UnknownFields } from '../../metadata/options.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { Slots } from '../../shared/slots.ts';
import type { ScannedRequirements } from '../requirements/scanned-requirements.ts';
import type { ProviderKey } from '../providers/scanned-provider.ts';

/** The common part of actions, prompts and resources: a handler, its input, and the middleware around it. */
export interface ScannedCallable {
  /** `TasksController.create()`, or `action "create" of builder "tasks"`. */
  readonly where: string;
  readonly input: SchemaSource | undefined;
  readonly unknownFields: UnknownFields;
  /** What callers have to be; undefined where nothing is said. */
  readonly requirements: ScannedRequirements | undefined;
  /** What features keep of it. */
  readonly slots: Slots;
  /** Global → group, outer to inner along the tree → own. */
  readonly middleware: readonly ScannedMiddleware[];
  readonly handler: ScannedHandler;
  /** The values of user decorators: method over class over parent group, one entry per decorator. */
  readonly metadata: readonly UserDecoratorValue[];
}

export type ScannedMiddleware =
  | { readonly kind: 'function'; readonly run: MiddlewareFunction<never> }
  | { readonly kind: 'provider'; readonly key: ProviderKey };

export type ScannedHandler =
  | { readonly kind: 'function'; readonly run: (input: never, context: never) => unknown }
  | {
      readonly kind: 'method';
      readonly controller: ProviderKey;
      readonly member: string | symbol;
      /** One per parameter, in order. */
      readonly parameters: readonly ScannedParameter[];
    };

/** A handler of a scanned class. */
export type MethodHandler = Extract<ScannedHandler, { kind: 'method' }>;

/** What prompts and resources have in common. */
export interface ScannedOffer extends ScannedCallable {
  readonly name: string;
  /** The class that declares it, when that is a @ToolGroup: the group it belongs to in the model. */
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
  readonly completions: readonly ScannedCompletion[];
}

/** A method that completes one argument of a prompt, or one variable of a resource template. */
export interface ScannedCompletion {
  readonly argument: string;
  /** `DocsController.languages()`. */
  readonly where: string;
  /** Those of what it completes, and its own. */
  readonly requirements: ScannedRequirements | undefined;
  /** Called with the text typed so far and a CompletionContext; its `parameters` are empty. */
  readonly handler: MethodHandler;
}

/** Where a handler's parameter comes from. */
export type ScannedParameter =
  | { readonly kind: 'input' }
  /** The instance of the common schema `source`, which is the tool's own or one of `groupCommon`. */
  | { readonly kind: 'common'; readonly source: SchemaSource }
  | { readonly kind: 'context' }
  /** `key` is undefined for an optional dependency without a provider. */
  | { readonly kind: 'provider'; readonly key: ProviderKey | undefined };
