import type { SurfaceOptions } from '../../index.ts';
import { GENERIC } from '../../profiles/clients.ts';
import { fitClient } from '../../profiles/fit-client.ts';
import { loadProfiles, type ClientProfiles } from '../../profiles/profiles.ts';
import { CliError } from '../output/cli-error.ts';
import { countFindings, sayFindings, type ShownFinding } from '../output/findings.ts';
import type { Terminal } from '../output/terminal.ts';
import { findProject } from '../pack/project.ts';
import { createServerJson, findListingFaults } from '../pack/server-json.ts';
import type { LoadedEntry } from '../target/entry.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import { findClient } from './find-client.ts';
import { judgeFor } from './judge.ts';
import type { JudgedClient, JudgedListing, JudgedServer } from './judged.ts';
import { createMatrix, matrixText } from './matrix.ts';
import { countTools, readServer, type ListedSurface } from './read-server.ts';

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
  { created, file }: Pick<LoadedEntry, 'created' | 'file'>,
  { for: chosen = 'all', matrix = false, profiles: corrections }: ForOptions,
  format: string,
): Promise<ForClients> {
  if (matrix && format !== 'text' && format !== 'json') throw noMatrix(format);
  const { profiles: own, clients: said } = surfaceOptions(created);
  const profiles = await loadProfiles(own, corrections);
  const clients = chooseClients(profiles, chosen);
  const isListed = clients.some(({ facts }) => facts['requires.listing']?.value === true);
  const listing = isListed ? readListing(file, created) : undefined;
  const reader = new ServerReader(created, profiles, said, listing);
  const servers = await Promise.all(clients.map((client) => reader.serverFor(client)));
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

/** What a registry would be sent of the project of an entry; undefined where there is no package.json. */
function readListing(file: string, created: CreatedApplication): JudgedListing | undefined {
  const project = findProject(file, created);
  if (project === undefined) return undefined;
  const listing = createServerJson(project);
  return { name: listing.name, findings: findListingFaults(project, listing) };
}

/** What an application says of its clients. */
function surfaceOptions({
  options: { surface },
}: CreatedApplication): Pick<SurfaceOptions, 'clients' | 'profiles' | 'progressiveOver'> {
  return typeof surface === 'object' ? surface : {};
}

/** What clients get of an application. A surface is read, and its tokens are counted, once for all of its clients. */
class ServerReader {
  readonly #created: CreatedApplication;
  readonly #profiles: ClientProfiles;
  readonly #said: SurfaceOptions['clients'];
  readonly #listing: JudgedListing | undefined;
  readonly #servers = new Map<ListedSurface, JudgedServer>();
  readonly #counted = new Map<ListedSurface, Promise<JudgedServer>>();

  constructor(
    created: CreatedApplication,
    profiles: ClientProfiles,
    said: SurfaceOptions['clients'],
    listing: JudgedListing | undefined,
  ) {
    this.#created = created;
    this.#profiles = profiles;
    this.#said = said;
    this.#listing = listing;
  }

  /** With tokens where the facts of the client are about them. */
  async serverFor({ id, facts, isDirectory }: JudgedClient): Promise<JudgedServer> {
    const profile = this.#profiles.byId(id);
    const fit = profile && fitClient(isDirectory ? { ...profile, facts: {} } : profile, this.#said);
    const { application } = this.#created;
    const surface = application.registry.surfaceFor(fit);
    const server =
      facts['definition.tokens'] === undefined ? this.#read(surface) : await this.#count(surface);
    const isWhole =
      fit?.readsOnePage === true && application.registry.settings.surfaces?.fitting !== undefined;
    if (!isWhole) return server;
    const { pageSize: _isForOthers, ...whole } = server;
    return whole;
  }

  #read(surface: ListedSurface): JudgedServer {
    const known = this.#servers.get(surface) ?? {
      ...readServer(this.#created, { surface }),
      ...(this.#listing && { listing: this.#listing }),
    };
    this.#servers.set(surface, known);
    return known;
  }

  #count(surface: ListedSurface): Promise<JudgedServer> {
    const known = this.#counted.get(surface) ?? countTools(this.#read(surface));
    this.#counted.set(surface, known);
    return known;
  }
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
    return [findClient(profiles, name, '--for', { ids: known, others: ['all'] })];
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
