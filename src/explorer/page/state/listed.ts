import { signal } from '@preact/signals';
import type { ExploredApplication, ExploredOffer, JsonObject } from '../../contract.ts';
import { connect } from './connection.ts';

interface Listed {
  readonly prompts: readonly ExploredOffer[];
  readonly resources: readonly ExploredOffer[];
}

const NOTHING: Listed = { prompts: [], resources: [] };

/** What the lists of the protocol have. */
export const listed = signal(NOTHING);

/** Asks for the lists as every client does: some entries are made when they are asked for. */
export async function loadListed(): Promise<void> {
  // A server that does not answer is said elsewhere
  const [prompts, resources] = await lists().catch((): Lists => [[], []]);
  listed.value = {
    prompts: prompts.map((entry) => offerOf(String(entry['name']), entry)),
    resources: resources.map((entry) => offerOf(String(entry['uri']), entry)),
  };
}

type Lists = readonly [readonly JsonObject[], readonly JsonObject[]];

async function lists(): Promise<Lists> {
  const client = await connect();
  const { capabilities } = client.server;
  const found = await Promise.all([
    'prompts' in capabilities ? client.listPrompts() : [],
    'resources' in capabilities ? client.listResources() : [],
  ]);
  return found as unknown as Lists;
}

/** The application with the entries that only the lists have. */
export function withListed(
  application: ExploredApplication,
  { prompts, resources }: Listed,
): ExploredApplication {
  return {
    ...application,
    prompts: joined(application.prompts, prompts),
    resources: joined(application.resources, resources),
  };
}

function joined(known: readonly ExploredOffer[], found: readonly ExploredOffer[]): readonly ExploredOffer[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...found.filter(({ id }) => !ids.has(id))];
}

function offerOf(id: string, definition: JsonObject): ExploredOffer {
  const inside = { middleware: [], checks: [], requires: [], limits: [], sensitive: [] };
  return { id, definition, completes: [], inside };
}
