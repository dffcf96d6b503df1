import { afterEach, describe, expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import type { AuthFinding } from '../../../../src/cli/doctor/auth/report.ts';
import { runCommand } from '../../../../src/cli/program.ts';
import { nextTurn } from '../../../../src/shared/platform.ts';
import { SignInServer, visitAsBrowser, type SignInFault } from '../../../support/sign-in-server.ts';

let server: SignInServer | undefined;

afterEach(() => server?.close());

interface SignedIn {
  readonly code: number;
  readonly found: readonly (readonly [step: string, state: string, found: string])[];
  /** All that was written, without the URL that the person is sent to. */
  readonly written: string;
  /** What the browser shows at the end. */
  readonly page: string;
}

/** Runs the command, and goes where it sends a person. */
async function signIn(visit: (url: string) => Promise<string> = visitAsBrowser): Promise<SignedIn> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let said = '';
  let result = '';
  stdout.setEncoding('utf8').on('data', (more: string) => (result += more));
  let page: Promise<string> | undefined;
  stderr.setEncoding('utf8').on('data', (more: string) => {
    said += more;
    const [, url] = /^(http:\S+)\n/m.exec(said) ?? [];
    if (url !== undefined) page ??= visit(url);
  });
  const args = ['doctor', 'auth', server?.url ?? '', '--browser', '--json'];
  const code = await runCommand(args, { stdin, stdout, stderr, env: { CI: 'true' } });
  // What was written arrives in a later turn
  await nextTurn();
  const { checks } = JSON.parse(result) as { readonly checks: readonly AuthFinding[] };
  return {
    code,
    found: checks.map(({ about, state, found }) => [about, state, found] as const),
    written: result + said.replace(/^http:\S+\n/m, ''),
    page: (await page) ?? '',
  };
}

const STEPS = ['sign-in', 'tokens', 'list', 'refresh', 'revocation'];
const later = ({ found }: SignedIn): SignedIn['found'] => found.filter(([step]) => STEPS.includes(step));

describe('doctor auth --browser', () => {
  test('goes on after a person agreed: tokens, a list, two refreshes at once, revocation', async () => {
    server = await SignInServer.start();
    const secrets: string[] = [];
    server.fault = async ({ path, method, read }, origin) => {
      if (path !== '/token' || method !== 'POST') return undefined;
      // As a proxy would, so that what must stay secret is known here
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-passed': 'yes' };
      const body = await read();
      secrets.push(...['code', 'code_verifier'].flatMap((name) => new URLSearchParams(body).get(name) ?? []));
      const answer = await fetch(`${origin}/token?passed`, { method, headers, body });
      const json = (await answer.json()) as Readonly<Record<string, string>>;
      secrets.push(...[json['access_token'], json['refresh_token']].filter((each) => each !== undefined));
      return { status: answer.status, body: json };
    };
    const passed = server.fault;
    server.fault = (visit, origin) => (visit.query.has('passed') ? undefined : passed(visit, origin));
    const signedIn = await signIn();
    expect(signedIn.code).toBe(0);
    expect(later(signedIn)).toEqual([
      ['sign-in', 'ok', 'the person came back with a code'],
      ['tokens', 'ok', 'a code becomes an access token'],
      ['list', 'ok', '1 tool with the token'],
      ['refresh', 'ok', 'twice at once'],
      ['revocation', 'ok', 'a revoked refresh token is refused'],
    ]);
    expect(signedIn.page).toContain('This page can be closed.');
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of secrets) expect(signedIn.written).not.toContain(secret);
  });

  test('advises to forgive the second of two refreshes', async () => {
    server = await SignInServer.start({ rotateRefreshToken: () => true });
    const [, , , refresh] = later(await signIn());
    expect(refresh).toEqual([
      'refresh',
      'advice',
      expect.stringMatching(/^400 invalid_grant.* for the second/),
    ]);
  });

  const refusing = (path: string, status: number, error: string): SignInFault => {
    let served = 0;
    // The first two requests for tokens are those of a wrong code and of an unknown client
    return (visit) =>
      visit.path === path && (path !== '/token' || served++ >= 2) ? { status, body: { error } } : undefined;
  };

  test.each([
    ['tokens', '/token', 400, 'invalid_request', '400 invalid_request for the right code'],
    ['revocation', '/token/revocation', 400, 'unsupported_token_type', '400 unsupported_token_type'],
  ])('names a fault of %s', async (step, path, status, error, words) => {
    server = await SignInServer.start();
    server.fault = refusing(path, status, error);
    const signedIn = await signIn();
    expect(later(signedIn).at(-1)).toEqual([step, 'problem', words]);
    expect(signedIn.code).toBe(1);
  });

  test('names a server that takes no token', async () => {
    server = await SignInServer.start();
    server.fault = ({ path, headers }) =>
      path === '/mcp' && headers.authorization !== undefined ? { status: 403, body: {} } : undefined;
    const found = later(await signIn());
    expect(found.find(([step]) => step === 'list')?.[1]).toBe('problem');
  });

  test('names an answer of another issuer, and a person who does not agree', async () => {
    server = await SignInServer.start();
    const comeBack = (parameters: Readonly<Record<string, string>>) => (url: string) => {
      const { searchParams } = new URL(url);
      const target = new URL(searchParams.get('redirect_uri') ?? '');
      const state = searchParams.get('state') ?? '';
      target.search = new URLSearchParams({ state, ...parameters }).toString();
      return visitAsBrowser(target.href);
    };
    const other = await signIn(comeBack({ code: 'c', iss: 'https://other.example' }));
    expect(later(other)[0]).toEqual(['sign-in', 'problem', 'iss of the answer is https://other.example']);
    const denied = await signIn(comeBack({ error: 'access_denied', iss: server.origin }));
    expect(later(denied)).toEqual([['sign-in', 'problem', 'came back with access_denied']]);
  });

  test('takes no answer but the one with its state', async () => {
    server = await SignInServer.start();
    const pages: string[] = [];
    const signedIn = await signIn(async (url) => {
      const target = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
      target.search = '?code=stolen&state=forged';
      pages.push(await visitAsBrowser(target.href));
      return visitAsBrowser(url);
    });
    expect(pages).toEqual(['Nothing is here.\n']);
    expect(later(signedIn)[0]).toEqual(['sign-in', 'ok', 'the person came back with a code']);
  });
});
