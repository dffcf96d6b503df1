import type { AbstractClass } from './class-type.ts';

/** What a dependency is asked for by: a class (abstract ones included), a string or a symbol. */
export type Token<T = unknown> = AbstractClass<T> | string | symbol;

/** The name of a token in messages. */
export function tokenName(token: Token): string {
  if (typeof token === 'function') return token.name === '' ? '(anonymous class)' : token.name;
  return typeof token === 'symbol' ? token.toString() : `"${token}"`;
}
