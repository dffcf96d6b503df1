import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ApplicationOptions } from '../index.ts';
import type { NestApiOptions } from './options.ts';

/** The paths of a sign-in at the server of the application. */
export interface SignInPaths {
  /** Everything below it belongs to the sign-in. */
  readonly base: string;
  /** Documents of the issuer that are outside of it (RFC 8414, 3.1; OpenID Connect Discovery). */
  readonly documents: readonly string[];
}

/**
 * The paths that `auth.signIn` needs; undefined without it.
 * @throws ToolwrightError TW_SIGN_IN_PATH for an issuer without a path, TW_APPLICATION_OPTION for an identity that would
 * show tokens of the sign-in to guards, which do not know them
 */
export function signInPaths(
  { auth }: ApplicationOptions,
  { identity }: Pick<NestApiOptions, 'identity'>,
): SignInPaths | undefined {
  if (auth === undefined || auth === false || auth.signIn === undefined) return undefined;
  const issuer = 'issuer' in auth.signIn ? auth.signIn.issuer : undefined;
  const base =
    issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).pathname.replace(/\/$/, '') : '';
  if (base === '') throw withoutPath();
  if (identity === undefined || identity === 'same-server') throw withoutIdentity();
  const wellKnown = ['oauth-authorization-server', 'openid-configuration'];
  return { base, documents: wellKnown.map((name) => `/.well-known/${name}${base}`) };
}

/** @throws ToolwrightError TW_SIGN_IN_PATH for a route that the sign-in would hide */
export function refuseTakenPaths(
  { base, documents }: SignInPaths,
  routes: readonly { readonly method: string; readonly path: string }[],
): void {
  const isTaken = (path: string): boolean => {
    const plain = path.toLowerCase().replace(/\/$/, '');
    return (
      plain === base.toLowerCase() || plain.startsWith(`${base.toLowerCase()}/`) || documents.includes(plain)
    );
  };
  const taken = routes.find(({ path }) => isTaken(path));
  if (taken === undefined) return;
  throw new ToolwrightError('TW_SIGN_IN_PATH', {
    where: 'exposeNest(), option auth.signIn.issuer',
    what: `has the path ${base}, where the application answers ${taken.method} ${taken.path}.`,
    fix: 'another path for the issuer: signIn: { provider, issuer: "https://shop.example/mcp-sign-in" }',
  });
}

function withoutPath(): ToolwrightError {
  return new ToolwrightError('TW_SIGN_IN_PATH', {
    where: 'exposeNest(), option auth.signIn.issuer',
    what: 'has no path, and the paths beside it belong to the application.',
    fix: 'signIn: { provider, issuer: "https://shop.example/sign-in" }',
  });
}

function withoutIdentity(): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'exposeNest(), option identity',
    what: 'has to say what guards see, because they do not know the tokens of auth.signIn.',
    fix: "identity: (caller) => ({ authorization: `Bearer ${issueToken(caller)}` }), or identity: 'none'",
  });
}
