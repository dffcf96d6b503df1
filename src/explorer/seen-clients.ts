import type { Explored } from '../application/explorer/explored-types.ts';
import type { OpenedExplorer } from '../application/explorer/open-explorer.ts';
import type { SeenClient } from './contract.ts';

type Seen = Parameters<OpenedExplorer['see']>[0];
type Kept = Pick<Seen, 'at' | 'era' | 'from'>;

const MAX_CLIENT_COUNT = 50;
/** What is longer was not written for people. */
const MAX_NAME_LENGTH = 128;

/** The clients whose requests were answered, the latest last. */
export class SeenClients {
  readonly #clients = new Map<string, Kept>();

  /** @returns whether it is a new one, or gets its tools somewhere else than before */
  add({ at, era, from }: Seen): boolean {
    const name = readText(from.name);
    const version = readText(from.version);
    const userAgent = name === undefined ? readText(from.userAgent) : undefined;
    const key = JSON.stringify([name, version, userAgent, era]);
    const before = this.#clients.get(key);
    const { surface = before?.from.surface, by = before?.from.by } = from;
    this.#clients.delete(key);
    const place = surface === undefined || by === undefined ? {} : { surface, by };
    this.#clients.set(key, { at, era, from: { name, version, userAgent, ...place } });
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size <= MAX_CLIENT_COUNT) break;
      this.#clients.delete(oldest);
    }
    return before === undefined || before.from.surface !== surface || before.from.by !== by;
  }

  /** The latest first. */
  list(explored: Explored): Promise<readonly SeenClient[]> {
    const latest = [...this.#clients.values()].reverse();
    return Promise.all(
      latest.map(async ({ at, era, from: { name, version, userAgent, surface, by } }) => ({
        at,
        era,
        ...withText({ name, version, userAgent }),
        ...(surface === undefined || by === undefined ? {} : { surface, by }),
        id: await explored.recognizeClient({ name, version, userAgent }),
      })),
    );
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_LENGTH) : undefined;
}

/** Without members that are undefined. */
function withText(claim: Kept['from']): Pick<SeenClient, 'name' | 'version' | 'userAgent'> {
  return Object.fromEntries(Object.entries(claim).filter(([, value]) => typeof value === 'string'));
}
