import type { Next } from '../../call/middleware.ts';

/** One middleware as the chain runs it; every `MiddlewareFunction` whose call is wide enough is a layer. */
export type Layer<Call> = (call: Call, next: Next) => unknown;

/** A chain, or the handler at its end. */
export type Chain<Call> = (call: Call) => unknown;

/** What {@link compileMiddleware} needs of one action. */
export interface ChainParts<Call> {
  readonly key: string;
  /** Outermost first. */
  readonly layers: readonly Layer<Call>[];
  readonly handler: Chain<Call>;
}

/** Composes the chain of every action, once. */
export function compileMiddleware<Call>(
  actions: readonly ChainParts<Call>[],
): ReadonlyMap<string, Chain<Call>> {
  return new Map(actions.map(({ key, layers, handler }) => [key, composeMiddleware(layers, handler)]));
}

/** Nests the layers around the handler, the first one outermost. Without layers it is the handler itself. */
export function composeMiddleware<Call>(layers: readonly Layer<Call>[], handler: Chain<Call>): Chain<Call> {
  return layers.reduceRight((inner: Chain<Call>, layer) => wrap(layer, inner), handler);
}

function wrap<Call>(layer: Layer<Call>, inner: Chain<Call>): Chain<Call> {
  // async, so that a synchronous throw of the inner layers reaches `next().catch()`, too
  return (call) =>
    layer(call, () => {
      const value = (async () => inner(call))();
      // A layer may forget the promise; a failure that nobody waits for must not end the process
      value.catch(ignore);
      return value;
    });
}

function ignore(): void {
  return undefined;
}
