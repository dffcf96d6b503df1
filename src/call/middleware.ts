import type { ToolContext } from './tool-context.ts';

/** One call as middleware sees it. The input is validated and does not contain the discriminator. */
export interface MiddlewareCall<Context = ToolContext> {
  /** What is called. */
  readonly kind: 'action' | 'prompt' | 'resource';
  /** The name of the tool of an action. */
  readonly tool: string | undefined;
  /** Of actions only, the key: `create`, or `users.create` in a hierarchical tool. */
  readonly action: string | undefined;
  /** The version of an action that runs; left out where it has none. */
  readonly version?: string;
  /** What is called: the action's key, or the name of the prompt or resource. */
  readonly name: string;
  /** The validated input: an instance of the DTO class, or what the schema gives. */
  readonly input: unknown;
  /** The context of the call, as the handler gets it. */
  readonly context: Context;
  /** What a decorator made by `createDecorator` says of this action: method over class over parent group. */
  metadata<T>(decorator: UserDecorator<T>): T | undefined;
}

/** Runs the inner layers and resolves to their value, not yet converted to a result. */
export type Next = () => Promise<unknown>;

/** A middleware as a function: it gives what `next()` gives, or something else in its place. */
export type MiddlewareFunction<Context = ToolContext> = (
  call: MiddlewareCall<Context>,
  next: Next,
) => unknown;

/** A middleware with a method; as a class it is resolved from the container. */
export interface MiddlewareObject<Context = ToolContext> {
  /** Runs around the call. It returns what `next()` gives, or something else in its place. */
  use(call: MiddlewareCall<Context>, next: Next): unknown;
}

/** A decorator made by `createDecorator`: it puts a value on a class or a method. */
export interface UserDecorator<T> {
  /** Makes the decorator that puts the value on a class or a method. */
  (value: T): ClassDecorator & MethodDecorator;
  /** The name given to `createDecorator`, for messages. */
  readonly decoratorName: string;
}

/** One use of a user decorator in an application. */
export interface UserDecoratorValue<T = unknown> {
  readonly decorator: UserDecorator<T>;
  readonly value: T;
}
