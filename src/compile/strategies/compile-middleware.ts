import type { Next } from '../../call/middleware.ts';
import { isThenable } from '../../shared/is-thenable.ts';

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
  return (call) => layer(call, () => promised(inner, call));
}

/** A promise also of what is there at once, so that a synchronous throw reaches `next().catch()`, too. */
function promised<Call>(inner: Chain<Call>, call: Call): Promise<unknown> {
  let promise: Promise<unknown>;
  try {
    const value = inner(call);
    if (!isThenable(value)) return Promise.resolve(value);
    promise = Promise.resolve(value);
  } catch (thrown) {
    // The layer gets what was thrown, whatever it is
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    promise = Promise.reject(thrown);
  }
  // A layer may forget the promise; a failure that nobody waits for must not end the process
  promise.catch(ignore);
  return promise;
}

function ignore(): void {
  return undefined;
}
