import { everyResource } from '../runtime/feature-states.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { summarizeTools } from '../shared/tool-summary.ts';
import type { ApplicationParts } from './assemble-application.ts';

/** A kind of list that clients see. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** What clients notice of an application that took the place of another one. */
export interface Replacement {
  /** The lists that differ; the clients that wanted to know were notified. */
  readonly changed: readonly ListKind[];
  /** What differs, and reaches a client only when it connects again. */
  readonly unannounced: readonly ('name' | 'instructions' | 'capabilities')[];
  /** Resolves when nothing runs any more that began in the former application, which can be closed then. */
  readonly finished: Promise<void>;
}

/** Lets an application answer on the connections of another one. */
export function replaceApplication(former: ApplicationParts, next: ApplicationParts): Replacement {
  const isDeclared = (kind: ListKind): boolean =>
    former.service[kind] !== undefined && next.service[kind] !== undefined;
  const differs = (kind: ListKind): boolean => LISTS[kind](former) !== LISTS[kind](next);
  const changed = (Object.keys(LISTS) as ListKind[]).filter((kind) => isDeclared(kind) && differs(kind));
  const unannounced = findUnannounced(former, next);
  former.server.handOver(next.server);
  next.container.adopt(former.container);
  next.notifier.redirect((change) => {
    next.server.notify(change);
  });
  for (const kind of changed) next.server.notify({ kind });
  return Object.freeze({ changed, unannounced, finished: former.server.whenIdle() });
}

/** What a list says to every client, without what templates and families list for each request. */
const LISTS: Readonly<Record<ListKind, (parts: ApplicationParts) => string>> = {
  // With `auto`, each known client has a list of its own
  tools: ({ service: { tools }, settings: { surfaces } }) =>
    canonicalJson([tools?.list() ?? [], tools?.everyTool?.() ?? [], writeSurfaces(surfaces)]),
  prompts: ({ service: { prompts } }) => canonicalJson(prompts?.fixed().list ?? []),
  resources: ({ service: { resources, settings } }) =>
    canonicalJson([resources?.fixed().list ?? [], resources?.templates() ?? [], everyResource(settings)]),
};

/** Which surfaces clients can get, and which fits whom. */
function writeSurfaces(surfaces: ApplicationParts['settings']['surfaces']): unknown {
  return surfaces && [surfaces.served, [...(surfaces.fitting?.fits ?? [])]];
}

function findUnannounced(former: ApplicationParts, next: ApplicationParts): Replacement['unannounced'] {
  const [before, now] = [former.settings, next.settings];
  const parts = ['tools', 'prompts', 'resources', 'completions'] as const;
  const names = ['name', 'version', 'title', 'icons'] as const;
  return [
    ...(names.some((name) => !isEqual(before[name], now[name])) ? (['name'] as const) : []),
    ...(readInstructions(former) === readInstructions(next) ? [] : (['instructions'] as const)),
    ...(parts.some((part) => (former.service[part] === undefined) !== (next.service[part] === undefined))
      ? (['capabilities'] as const)
      : []),
  ];
}

/** The instructions for callers who see everything. */
function readInstructions({ settings, service }: ApplicationParts): string | false | undefined {
  const { instructions = summarizeTools(settings, service.tools?.list() ?? []) } = settings;
  return instructions === false ? undefined : instructions;
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson([left]) === canonicalJson([right]);
}
