import { GENERIC } from '../../profiles/clients.ts';
import { findSurface, loadProfiles, type ClientProfiles } from '../../profiles/profiles.ts';
import { notOneOf } from '../option-values.ts';
import { CliError } from '../output/cli-error.ts';
import { countFindings, sayFindings, type ShownFinding } from '../output/findings.ts';
import type { Terminal } from '../output/terminal.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import { judgeFor } from './judge.ts';
import type { JudgedClient, JudgedServer } from './judged.ts';
import { createMatrix, matrixText } from './matrix.ts';
import { countTools, readServer } from './read-server.ts';

export interface ForOptions {
  /** Ids with commas between them, or `all`. */
  readonly for?: string;
  readonly matrix?: boolean;
  /** A file that corrects what is known. */
  readonly profiles?: string;
}

/** What was found for each client, and how to say it. */
export interface ForClients {
  readonly all: readonly ShownFinding[];
  readonly say: (findings: readonly ShownFinding[], terminal: Terminal) => void;
  readonly more: (findings: readonly ShownFinding[]) => object;
}

/** Looks for what known clients and directories would not take of an application. */
export async function checkForClients(
  created: CreatedApplication,
  { for: chosen = 'all', matrix = false, profiles: corrections }: ForOptions,
  format: string,
): Promise<ForClients> {
  if (matrix && format !== 'text' && format !== 'json') throw noMatrix(format);
  const profiles = await loadProfiles(corrections);
  const clients = chooseClients(profiles, chosen);
  const servers = await Promise.all(clients.map((client) => serverFor(created, client, profiles)));
  const ids = clients.map(({ id }) => id);
  return {
    all: clients.flatMap((client, index) => judgeFor(servers[index] as JudgedServer, client)),
    say: (findings, terminal) => {
      if (matrix) terminal.print(matrixText(ids, findings, terminal));
      else sayFindings(findings, terminal);
      terminal.say(
        `${countedTools(servers)} for ${chosen === 'all' ? 'all clients' : ids.join(', ')}: ${countFindings(findings)}.`,
      );
    },
    more: (findings) => (matrix ? { matrix: createMatrix(ids, findings) } : {}),
  };
}

/** What a client gets, with tokens where its facts are about them. */
async function serverFor(
  created: CreatedApplication,
  { id, facts }: JudgedClient,
  profiles: ClientProfiles,
): Promise<JudgedServer> {
  const profile = profiles.byId(id);
  const { surface } = created.options;
  const options = typeof surface === 'object' ? surface : {};
  const server = readServer(created, profile && findSurface(profile, options));
  return facts['definition.tokens'] === undefined ? server : countTools(server);
}

/** `3 tools`, or `1 to 4 tools` where clients get different ones. */
function countedTools(servers: readonly JudgedServer[]): string {
  const counts = servers.map(({ tools }) => tools.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most
    ? `${String(most)} ${most === 1 ? 'tool' : 'tools'}`
    : `${String(least)} to ${String(most)} tools`;
}

/** The clients of `--for`, each once. */
function chooseClients(profiles: ClientProfiles, chosen: string): readonly JudgedClient[] {
  const known = profiles.ids.filter((id) => id !== GENERIC);
  const names = chosen.split(',').map((name) => name.trim());
  const ids = names.flatMap((name) => {
    if (name === 'all') return known;
    const id = known.includes(name) ? name : profiles.profileOf(name).id;
    if (id === GENERIC) throw notOneOf('--for', name, [...known, 'all']);
    return [id];
  });
  const now = new Date();
  return [...new Set(ids)].map((id) => {
    const { title = id, facts = {} } = profiles.byId(id) ?? {};
    return { id, title, facts, now, isDirectory: profiles.clients[id]?.kind === 'directory' };
  });
}

function noMatrix(format: string): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: '--matrix',
    what: `is a table, and --format ${format} has none.`,
    fix: '--matrix with --format text or --format json',
  });
}
