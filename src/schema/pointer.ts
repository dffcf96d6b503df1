import { isPlainObject } from '../shared/json.ts';

/** The pointer to a member below a pointer (RFC 6901). */
export function pointTo(base: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((path, token) => `${path}/${escapeToken(String(token))}`, base);
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The tokens of a pointer; undefined for text that is not a pointer. */
export function tokensOf(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer leads to; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  return tokensOf(pointer)?.reduce<unknown>(memberOf, root);
}

function memberOf(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isPlainObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** A pointer as the fragment of a URI (RFC 6901, section 6). */
export function fragmentOf(pointer: string): string {
  const tokens = pointer.split('/').map((token) => encodeURIComponent(token).replaceAll('%24', '$'));
  return `#${tokens.join('/')}`;
}
