import { signal } from '@preact/signals';
import type { ExploredApplication, ExploredOffer, JsonObject } from '../../contract.ts';

interface Listed {
  readonly prompts: readonly ExploredOffer[];
  readonly resources: readonly ExploredOffer[];
}

const NOTHING: Listed = { prompts: [], resources: [] };

/** What the lists of the protocol have. */
export const listed = signal(NOTHING);

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

const NOTHING_INSIDE: ExploredOffer['inside'] = {
  middleware: [],
  checks: [],
  requires: [],
  policies: [],
  limits: [],
  sensitive: [],
  sensitiveOutput: [],
};

export function offerOf(id: string, definition: JsonObject): ExploredOffer {
  return { id, definition, completes: [], inside: NOTHING_INSIDE };
}
