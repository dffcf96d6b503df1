/** A class as a token: abstract ones, and ones with a private constructor, too. */
export interface ClassToken<T = unknown> {
  readonly prototype: T;
  readonly name: string;
}

/** What a dependency is asked for by: a class, a string or a symbol. */
export type Token<T = unknown> = ClassToken<T> | string | symbol;

/** The name of a token in messages. */
export function tokenName(token: Token): string {
  if (typeof token === 'string') return `"${token}"`;
  if (typeof token === 'symbol') return token.toString();
  return token.name === '' ? '(anonymous class)' : token.name;
}
