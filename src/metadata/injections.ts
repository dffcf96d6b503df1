import type { Class } from '../shared/class-type.ts';

/** What a decorator of tsyringe says of a parameter: `@inject`, `@injectAll` and their forms with a transform. */
export interface Injection {
  /** A class, a string, a symbol, or what `delay()` gave. Unchecked. */
  readonly token: unknown;
  /** Everything that is registered for the token, as an array. */
  readonly isMultiple: boolean;
  readonly isOptional: boolean;
  readonly transform: InjectionTransform | undefined;
  /** What tsyringe wrote: the same object as long as the class is. */
  readonly source: object;
}

interface InjectionTransform {
  readonly token: unknown;
  readonly args: readonly unknown[];
}

/** What `delay(() => TheClass)` of tsyringe gives, of whichever copy. */
export interface Delayed {
  readonly wrap: () => unknown;
  createProxy(create: () => unknown): unknown;
}

/** The key of tsyringe (4.10, reflection-helpers). It knows no method: those of a prototype share one object. */
const INJECTION_TOKENS = 'injectionTokens';

type Described = Readonly<Record<string, unknown>>;

/** What decorators of tsyringe say of the parameters of the constructor that the class itself has. */
export function constructorInjections(type: Class): ReadonlyMap<number, Injection> {
  return injectionsOn(type);
}

/** The types of the parameters of a constructor, its own or an inherited one, as the compiler wrote them and tsyringe reads them. */
export function emittedParameters(type: Class): readonly unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', type) as readonly unknown[] | undefined;
}

/**
 * What decorators of tsyringe say of the parameters of a method. Those of a method run right before its own decorators do,
 * so what its prototype has by then is about this method; it is taken away for the next one.
 */
export function takeInjections(prototype: object): ReadonlyMap<number, Injection> {
  const injections = injectionsOn(prototype);
  if (injections.size > 0) Reflect.deleteMetadata(INJECTION_TOKENS, prototype);
  return injections;
}

function injectionsOn(target: object): ReadonlyMap<number, Injection> {
  const written = (Reflect.getOwnMetadata(INJECTION_TOKENS, target) ?? {}) as Described;
  return new Map(
    Object.entries(written).map(([index, described]) => [Number(index), readInjection(described)]),
  );
}

/** The meaning of what tsyringe knows of a parameter: a token, or an object that describes one. */
export function readInjection(described: unknown): Injection {
  if (typeof described !== 'object' || described === null || !('token' in described)) {
    const source = Object(described) as object;
    return { token: described, isMultiple: false, isOptional: false, transform: undefined, source };
  }
  const { token, multiple, isOptional, transform, transformArgs } = described as Described;
  const args = (transformArgs ?? []) as readonly unknown[];
  return Object.freeze({
    token,
    isMultiple: multiple === true,
    isOptional: isOptional === true,
    transform: transform === undefined ? undefined : { token: transform, args },
    source: described,
  });
}

/** True for what `delay()` gave. */
export function isDelayed(token: unknown): token is Delayed {
  const { wrap, createProxy } = (
    typeof token === 'object' && token !== null ? token : {}
  ) as Partial<Delayed>;
  return typeof wrap === 'function' && typeof createProxy === 'function';
}
