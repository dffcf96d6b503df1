/** A class that can be constructed, with any parameters. */
export type Class<T = unknown> = new (...args: never[]) => T;

/** A class that may be abstract: enough for a token or a parameter type. */
export type AbstractClass<T = unknown> = abstract new (...args: never[]) => T;

/** A class, or an arrow function that returns it once all files are loaded. */
export type ClassReference<T = unknown> = Class<T> | (() => Class<T>);

/**
 * True for a class or constructor function, false for an arrow function.
 * Arrow functions and methods have no `prototype`, whatever the compile target was.
 */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** A class as a token: abstract ones, and ones with a private constructor, too. */
export interface ClassToken<T = unknown> {
  /** The instances of the class. */
  readonly prototype: T;
  /** The name of the class. */
  readonly name: string;
}

/** What a dependency is asked for by: a class, a string or a symbol. */
export type Token<T = unknown> = ClassToken<T> | string | symbol;

/** How messages name a token. */
export function tokenName(token: Token): string {
  if (typeof token === 'string') return `"${token}"`;
  if (typeof token === 'symbol') return token.toString();
  return token.name === '' ? '(anonymous class)' : token.name;
}
