import { check } from '../version/constraint.ts';
import { GENERIC, loadClients, type ClientChoices, type KnownClient, type KnownClients } from './clients.ts';
import { correctClients } from './corrections.ts';
import type { ClientFacts, Fact } from './facts.ts';

/** What is known of the client of a request, and what was chosen for it. Frozen. */
export interface Profile {
  /** The id in the file of clients, never the name that the client sent. */
  readonly id: string;
  readonly title: string;
  readonly facts: ClientFacts;
  readonly choices: ClientChoices;
}

/** What is compared with a name is not longer. */
const MAX_NAME_LENGTH = 128;
const MAX_AGENT_LENGTH = 1024;
/** Versions of a client that are remembered. */
const MAX_VERSION_COUNT = 100;
const PLAIN = /^\P{Cc}+$/u;

/**
 * Finds the profile of a client. What it says of itself is a claim: a profile chooses a form, and never a right.
 *
 * @example
 * const profiles = await loadProfiles();
 * profiles.profileOf('codex-mcp-client', '0.131.0').choices.surface; // 'grouped-by-risk'
 */
export class ClientProfiles {
  readonly edition: string;
  readonly clients: KnownClients['clients'];
  readonly #byId: ReadonlyMap<string, Profile>;
  readonly #exact = new Map<string, Profile>();
  /** The longest first, so that the nearest one wins. */
  readonly #prefixes: readonly (readonly [prefix: string, profile: Profile])[];
  readonly #agents: readonly (readonly [prefix: string, profile: Profile])[];
  readonly #generic: Profile;
  readonly #atVersion: ReadonlyMap<Profile, FindAtVersion>;

  constructor({ edition, clients }: KnownClients) {
    this.edition = edition;
    this.clients = clients;
    const common = clients[GENERIC]?.choices;
    this.#byId = new Map(Object.entries(clients).map(([id, client]) => [id, toProfile(id, client, common)]));
    this.#generic = this.#byId.get(GENERIC) ?? toProfile(GENERIC, { title: GENERIC, facts: {} }, common);
    this.#atVersion = new Map([...this.#byId.values()].map((each) => [each, createFindAtVersion(each)]));
    const prefixes: [string, Profile][] = [];
    const agents: [string, Profile][] = [];
    for (const profile of this.#byId.values()) {
      const { match = [], userAgent = [] } = clients[profile.id] ?? {};
      for (const name of match) {
        if (name.endsWith('*')) prefixes.push([name.slice(0, -1), profile]);
        else this.#exact.set(name, profile);
      }
      for (const start of userAgent) agents.push([start, profile]);
    }
    this.#prefixes = prefixes.sort(byLength);
    this.#agents = agents.sort(byLength);
  }

  /** Directories are among them. */
  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  /** With the facts of all versions. */
  byId(id: string): Profile | undefined {
    return this.#byId.get(id);
  }

  /**
   * The profile of a `clientInfo`, with the facts that hold for its version; `generic` for what is unknown or no name.
   * It never throws.
   */
  profileOf(name: unknown, version?: unknown): Profile {
    if (!isPlainText(name, MAX_NAME_LENGTH)) return this.#generic;
    const found = this.#exact.get(name) ?? findPrefix(this.#prefixes, name);
    return found === undefined ? this.#generic : (this.#atVersion.get(found)?.(version) ?? found);
  }

  /** For requests that say nothing else of their client. */
  profileOfUserAgent(userAgent: unknown): Profile {
    if (!isPlainText(userAgent, MAX_AGENT_LENGTH)) return this.#generic;
    return findPrefix(this.#agents, userAgent) ?? this.#generic;
  }
}

/**
 * The profiles of this package, with the corrections of a user.
 * @param corrections objects of the same form as the file, or paths of JSON files with one; the last ones win
 * @throws ToolwrightError TW_PROFILES_INVALID
 */
export async function loadProfiles(...corrections: readonly unknown[]): Promise<ClientProfiles> {
  const given = corrections.filter((each) => each !== undefined);
  return new ClientProfiles(given.reduce<KnownClients>(correctClients, await loadClients()));
}

function toProfile(
  id: string,
  { title, facts, choices }: KnownClient,
  common: KnownClient['choices'],
): Profile {
  const chosen = Object.freeze({ ...FALLBACK, ...common, ...choices });
  return Object.freeze({ id, title, facts, choices: chosen });
}

const FALLBACK: ClientChoices = { surface: 'own', describe: 'own', result: 'both', budget: {} };

/** A profile with the facts that hold for a version: the same object for the same facts. */
type FindAtVersion = (version: unknown) => Profile;

function createFindAtVersion(profile: Profile): FindAtVersion {
  const facts = Object.entries(profile.facts) as [string, Fact<unknown>][];
  const ranges = [...new Set(facts.flatMap(([, fact]) => fact.for ?? []))];
  if (ranges.length === 0) return () => profile;
  const known = new Map<string, Profile>();
  const find: FindAtVersion = (version) => {
    const held = ranges.filter((range) => isWithin(version, range));
    const key = held.join(' | ');
    const holding = facts.filter(([, fact]) => fact.for === undefined || held.includes(fact.for));
    const found =
      known.get(key) ?? Object.freeze({ ...profile, facts: Object.freeze(Object.fromEntries(holding)) });
    known.set(key, found);
    return found;
  };
  // To read a version takes longer than the rest of what a surface adds to a call
  const byVersion = new Map<string, Profile>();
  return (version) => {
    if (!isPlainText(version, MAX_NAME_LENGTH)) return find(version);
    const last = byVersion.get(version);
    if (last !== undefined) return last;
    const found = find(version);
    if (byVersion.size >= MAX_VERSION_COUNT) byVersion.clear();
    byVersion.set(version, found);
    return found;
  };
}

/** A version that cannot be read is in no range. */
function isWithin(version: unknown, range: string): boolean {
  if (!isPlainText(version, MAX_NAME_LENGTH)) return false;
  try {
    return check(range, version, { includePrerelease: true });
  } catch {
    return false;
  }
}

function isPlainText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && PLAIN.test(value);
}

function findPrefix(known: readonly (readonly [string, Profile])[], text: string): Profile | undefined {
  return known.find(([prefix]) => text.startsWith(prefix))?.[1];
}

function byLength([left]: readonly [string, Profile], [right]: readonly [string, Profile]): number {
  return right.length - left.length;
}
