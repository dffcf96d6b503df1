import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpTransport } from '../../../client/http-transport.ts';
import { McpClient } from '../../../client/mcp-client.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { within } from '../../../shared/platform.ts';
import { faultOfUrl, type Asked } from '../../../client/sign-in/ask.ts';
import { sayAsked, type Discovered } from './discovery.ts';
import { register, type Registered } from './registration.ts';
import { quote, type Examination } from './report.ts';
import { askToken, authorizationRequest, codeForm, isError, scopeOf } from './requests.ts';

/** What a person does at the authorization server. */
export interface Person {
  /** Shows where to go. */
  readonly invite: (url: string) => void;
  /** Milliseconds that the person may take. */
  readonly patience: number;
}

const MAX_LIST_BYTES = 4 * 1024 * 1024;
const PATH = '/callback';

/** Goes on where a person has to agree: a code, tokens, the list of tools, two refreshes at once, and the end of it. */
export async function examineSignIn(
  examination: Examination,
  found: Discovered,
  person: Person,
): Promise<void> {
  const { report, client } = examination;
  const callback = await CallbackServer.open();
  try {
    const registered = await register(examination, found, [callback.url]);
    if (registered === undefined) return;
    const [habit = 'challenge'] = client.facts['signIn.scopes']?.value ?? [];
    const request = authorizationRequest(examination, found, registered, scopeOf(examination, found, habit));
    person.invite(request.url);
    const back = await callback.answer(request.state, person.patience);
    const code = checkAnswer(examination, found, back);
    if (code === undefined) return;
    const asked = await askToken(
      examination,
      found,
      registered,
      codeForm(found, registered, code, request.verifier),
    );
    const tokens = tokensIn(asked);
    if (tokens === undefined) {
      report.problem(
        'tokens',
        `${sayAsked(asked)} for the right code`,
        '200 with access_token and token_type Bearer',
      );
      return;
    }
    report.ok('tokens', 'a code becomes an access token');
    if (tokens.expires_in === undefined)
      report.advise('tokens', 'without expires_in', 'expires_in, so that clients refresh in time');
    await examineList(examination, tokens.access_token);
    await examineRefresh(examination, found, registered, tokens.refresh_token);
  } finally {
    callback.close();
  }
}

function checkAnswer(
  { report }: Examination,
  { issuer, server }: Discovered,
  back: URLSearchParams | undefined,
): string | undefined {
  const about = 'sign-in';
  if (back === undefined) {
    report.problem(about, 'nobody came back', 'sign in at the URL, and agree; the page has to lead back');
    return undefined;
  }
  const error = back.get('error');
  const code = back.get('code');
  if (error !== null || code === null) {
    report.problem(
      about,
      `came back with ${quote(error ?? 'no code')}`,
      'agree, or see the log of the server',
    );
    return undefined;
  }
  const isPromised = server['authorization_response_iss_parameter_supported'] === true;
  const iss = back.get('iss');
  if ((isPromised || iss !== null) && iss !== issuer) {
    report.problem(
      about,
      `iss of the answer is ${quote(iss)}`,
      `iss=${quote(issuer)} in each answer (RFC 9207)`,
    );
    return undefined;
  }
  report.ok(about, 'the person came back with a code');
  return code;
}

async function examineList({ url, report }: Examination, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  try {
    const length = await countTools(new HttpTransport(url, { headers, maxAnswerBytes: MAX_LIST_BYTES }));
    report.ok('list', `${String(length)} ${length === 1 ? 'tool' : 'tools'} with the token`);
  } catch (error) {
    const { message } = error as Error;
    report.problem(
      'list',
      quote(message.replaceAll(token, '…').split('\n')[0]),
      'take the tokens that the authorization server issues for this resource',
    );
  }
}

async function countTools(transport: HttpTransport): Promise<number> {
  const client = await McpClient.connect(transport, { name: 'toolwright-doctor', timeout: 30_000 });
  try {
    return (await client.listTools()).length;
  } finally {
    await client.close();
  }
}

async function examineRefresh(
  examination: Examination,
  found: Discovered,
  registered: Registered,
  token: string | undefined,
): Promise<void> {
  const { report } = examination;
  if (token === undefined) {
    report.advise('refresh', 'no refresh token: people sign in again whenever a token ends', 'issue one');
    return;
  }
  const refresh = (each: string): Promise<Asked> =>
    askToken(examination, found, registered, {
      grant_type: 'refresh_token',
      refresh_token: each,
      resource: found.resource,
    });
  const answers = await Promise.all([refresh(token), refresh(token)]);
  const renewed = answers.flatMap((asked) => tokensIn(asked) ?? []);
  if (renewed.length === 2) report.ok('refresh', 'twice at once');
  else if (renewed.length === 1) {
    const failed = answers.find((asked) => tokensIn(asked) === undefined);
    const fix = 'take a refresh token again for a minute: processes of one client share it';
    report.advise('refresh', `${sayAsked(failed)} for the second of two at once`, fix);
  } else report.problem('refresh', sayAsked(answers[0]), '200 with a new access token');
  await examineRevocation(examination, found, registered, renewed.at(-1)?.refresh_token ?? token, refresh);
}

/** Leaves nothing behind, too. */
async function examineRevocation(
  examination: Examination,
  found: Discovered,
  registered: Registered,
  token: string,
  refresh: (token: string) => Promise<Asked>,
): Promise<void> {
  const { url, report } = examination;
  const about = 'revocation';
  const endpoint = found.server['revocation_endpoint'];
  if (endpoint === undefined || faultOfUrl(endpoint, url) !== undefined) {
    report.advise(about, 'clients cannot end a sign-in', 'a revocation_endpoint (RFC 7009)');
    return;
  }
  const form = { token, token_type_hint: 'refresh_token' };
  const asked = await askToken(examination, found, registered, form, 'revocation_endpoint');
  if ('failure' in asked || asked.status !== 200) {
    report.problem(about, sayAsked(asked), '200 for a token of the client (RFC 7009, 2.2)');
    return;
  }
  const again = await refresh(token);
  if (isError(again, 400, 'invalid_grant')) report.ok(about, 'a revoked refresh token is refused');
  else report.problem(about, `${sayAsked(again)} for a revoked refresh token`, '400 invalid_grant');
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

function tokensIn(asked: Asked): Tokens | undefined {
  if ('failure' in asked || asked.status !== 200 || !isPlainObject(asked.json)) return undefined;
  const {
    access_token: access,
    token_type: type,
    refresh_token: refresh,
    expires_in: ends,
  }: PlainObject = asked.json;
  if (typeof access !== 'string' || typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    return undefined;
  return {
    access_token: access,
    ...(typeof refresh === 'string' ? { refresh_token: refresh } : {}),
    ...(typeof ends === 'number' ? { expires_in: ends } : {}),
  };
}

/** Waits on this machine for the browser that comes back. */
class CallbackServer {
  readonly url: string;
  readonly #server;
  readonly #came: Promise<URLSearchParams>;
  #state: string | undefined;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${PATH}`;
    this.#came = new Promise((resolve) => {
      server.on('request', ({ url = '/' }, response) => {
        const { pathname, searchParams } = new URL(url, this.url);
        const isMeant =
          pathname === PATH && this.#state !== undefined && searchParams.get('state') === this.#state;
        response.writeHead(isMeant ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(
          isMeant ? 'This page can be closed. The terminal says what was found.\n' : 'Nothing is here.\n',
        );
        if (isMeant) resolve(searchParams);
      });
    });
  }

  static async open(): Promise<CallbackServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new CallbackServer(server);
  }

  /** What came back with the state; undefined where nothing does in time. */
  async answer(state: string, patience: number): Promise<URLSearchParams | undefined> {
    this.#state = state;
    return within(this.#came, patience).catch(() => undefined);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
