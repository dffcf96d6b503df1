import { HttpTransport } from '../../../client/http-transport.ts';
import { McpClient } from '../../../client/mcp-client.ts';
import { faultOfUrl, type Asked } from '../../../client/sign-in/ask.ts';
import { CallbackServer } from '../../../client/sign-in/callback-server.ts';
import { tokensIn } from '../../../client/sign-in/oauth-client.ts';
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
const LAST_PAGE = 'This page can be closed. The terminal says what was found.';

/** Goes on where a person has to agree: a code, tokens, the list of tools, two refreshes at once, and the end of it. */
export async function examineSignIn(
  examination: Examination,
  found: Discovered,
  person: Person,
): Promise<void> {
  const { report, client } = examination;
  const callback = await CallbackServer.open(LAST_PAGE);
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
