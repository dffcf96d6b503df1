import { loadClients, type KnownClient, type KnownClients } from '../../../profiles/clients.ts';
import { CliError, EXIT, type ExitCode } from '../../output/cli-error.ts';
import type { Terminal } from '../../output/terminal.ts';
import { notOneOf } from '../../option-values.ts';
import { countProblems, sayFinding, type Finding } from '../finding.ts';
import { Asker } from '../../../client/sign-in/ask.ts';
import { examineSignIn } from './browser.ts';
import { discover, examineCors } from './discovery.ts';
import { register } from './registration.ts';
import { joinFindings, Report, type AuthFinding, type Examination, type Step } from './report.ts';
import { examineAuthorize, examineRedirect, examineToken } from './requests.ts';

export interface DoctorAuthOptions {
  readonly client?: string;
  readonly browser?: boolean;
  readonly timeout?: number;
}

/** The client that does what the protocol says, and no more. */
const DEFAULT_CLIENT = 'sdk-v2';
const TIMEOUT = 10_000;
const PATIENCE = 5 * 60_000;

/** Tries whether people can sign in at a server, as known clients do it. */
export async function runAuth(
  given: string | undefined,
  { client = DEFAULT_CLIENT, browser = false, timeout = TIMEOUT }: DoctorAuthOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const url = readUrl(given);
  const known = await loadClients();
  const ids = chooseClients(known, client);
  const asker = new Asker(timeout);
  const reports: Report[] = [];
  for (const id of ids) {
    const report = new Report(id);
    reports.push(report);
    const examination = { url, id, client: clientOf(known, id), asker, report };
    await examine(examination, browser ? terminal : undefined);
    saySource(examination, ids.length === 1);
  }
  const findings = joinFindings(reports);
  terminal.give({ url, clients: ids, checks: findings }, () =>
    findings.map((each) => sayFinding(nameClients(each, ids), terminal)).join('\n'),
  );
  if (client === DEFAULT_CLIENT) terminal.say('--client all looks at it as every known client does.');
  const problems = countProblems(findings);
  if (problems === 0) return EXIT.done;
  terminal.say(`${String(problems)} ${problems === 1 ? 'problem' : 'problems'}.`);
  return EXIT.finding;
}

async function examine(examination: Examination, terminal: Terminal | undefined): Promise<void> {
  const found = await discover(examination);
  if (found === undefined) return;
  await examineCors(examination, found);
  const registered = await register(examination, found);
  if (registered === undefined) return;
  const isAsked = await examineAuthorize(examination, found, registered);
  await examineRedirect(examination, found, registered);
  await examineToken(examination, found, registered);
  if (terminal === undefined || !isAsked) return;
  const invite = (url: string): void => {
    terminal.say(`Sign in as a person, for ${examination.client.title}:`);
    // Whole, so that it can be copied
    terminal.line(url);
  };
  await examineSignIn(examination, found, { invite, patience: PATIENCE });
}

/** What a client does may have changed since it was written down. */
function saySource({ client, report }: Examination, isAlone: boolean): void {
  const fact = client.facts['signIn.registration'];
  if (fact === undefined || fact.sure === 'seen') return;
  const how = { source: 'from its source', docs: 'from its documentation', reported: 'from reports' }[
    fact.sure
  ];
  const source = isAlone ? ` (${fact.source})` : '';
  report.note('client', `known ${how}, on ${fact.date}${source}; not tried against the client itself`);
}

/** The steps that are the same for most clients. */
const GENERAL: ReadonlySet<Step> = new Set([
  'connection',
  'challenge',
  'resource metadata',
  'server metadata',
]);

/** Names the clients that a finding is about, unless that is clear. */
function nameClients(finding: AuthFinding, ids: readonly string[]): Finding {
  const { clients, about } = finding;
  const isAlone = ids.length === 1;
  if (isAlone ? GENERAL.has(about) : clients.length === ids.length) return finding;
  const others = ids.filter((id) => !clients.includes(id));
  const names =
    others.length < clients.length && !isAlone ? `all but ${others.join(', ')}` : clients.join(', ');
  return { ...finding, about: `${names} ${about}` };
}

function chooseClients({ clients }: KnownClients, client: string): readonly string[] {
  const ids = Object.keys(clients).filter((id) => isKnownToSignIn(clients[id]));
  if (client === 'all') return ids;
  if (!ids.includes(client)) throw notOneOf('--client', client, [...ids, 'all']);
  return [client];
}

function isKnownToSignIn(client: KnownClient | undefined): boolean {
  return Object.keys(client?.facts ?? {}).some((name) => name.startsWith('signIn.'));
}

function clientOf({ clients }: KnownClients, id: string): KnownClient {
  const client = clients[id];
  if (client === undefined) throw new Error(`No client has the id ${id}`);
  return client;
}

function readUrl(given: string | undefined): string {
  const { protocol } = given !== undefined && URL.canParse(given) ? new URL(given) : {};
  if (given !== undefined && (protocol === 'https:' || protocol === 'http:')) return given;
  throw new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright doctor auth',
    what: `takes the URL of a server, and got ${given === undefined ? 'none' : JSON.stringify(given)}.`,
    fix: 'toolwright doctor auth https://example.com/mcp',
  });
}
