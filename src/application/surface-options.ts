import {
  createSurface,
  RISK_NAMES,
  SURFACE_CHOICES,
  SURFACE_NAMES,
  type ClientClaim,
  type ClientFitting,
  type FittingSurface,
  type RiskNames,
  type Surface,
  type SurfaceName,
  type SurfaceSettings,
} from '../compile/surfaces/surface.ts';
import { quoteText } from '../call/issue.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { AuthOptions } from '../app/auth-options.ts';
import type { CacheOptions } from '../metadata/options.ts';
import type { ClientProfiles, Profile } from '../profiles/profiles.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { isPlainObject, membersOf } from '../shared/json.ts';
import {
  anObject,
  either,
  filledText,
  listOf,
  objectOf,
  oneOf,
  rule,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';

/** How the actions of an application are offered. */
export interface SurfaceOptions {
  /** The surface of clients; `auto` is the one that fits each of them. Default `own`. */
  readonly use?: SurfaceName | 'auto';
  /** Surfaces of clients by their ids, for `auto`: `{ codex: 'flat' }`. `toolwright clients` lists the ids. */
  readonly clients?: Readonly<Record<string, SurfaceName>>;
  /**
   * Corrections of what is known of clients, for `auto` and for the form of results: an object in the form of the file of clients, or the path of a
   * JSON file with one.
   */
  readonly profiles?: string | object;
  /**
   * The last part of the names of tools on `grouped-by-risk`; risks with equal names are one tool. Default `read`, `write`
   * and `destructive`.
   */
  readonly riskNames?: {
    readonly read?: string;
    readonly write?: string;
    readonly destructive?: string;
  };
  /**
   * How clients may choose another surface: at the end of the path (`/mcp/flat`), in the query (`?surface=flat`), in the
   * header `Toolwright-Surface`, in this order; false lets none choose. Over stdio, TOOLWRIGHT_SURFACE chooses wherever one
   * of them does. They choose a form and never a right. Default: all three, where the option `surface` is not `own`.
   */
  readonly choose?: readonly ('path' | 'query' | 'header')[] | false;
  /**
   * Whether a call may use the name that a tool has on another surface, so that lists that clients keep, and permissions
   * that name tools, go on to work. Default true.
   */
  readonly foreignNames?: boolean;
  /**
   * With `auto`, clients that load all definitions at once find actions first (`progressive`) where the definitions of their
   * surface have more tokens than this, a quarter of the characters being counted. Default 20,000.
   */
  readonly progressiveOver?: number;
  /**
   * Lists resources and prompts as tools as well (`read_resource`, `get_prompt`): for all clients, or with `auto` for those
   * that are known to read none, where `use` is `auto`. Default false.
   *
   * @example
   * const app = await McpApplication.create(AppModule, { surface: { use: 'auto', asTools: 'auto' } });
   */
  readonly asTools?:
    | boolean
    | 'auto'
    | { readonly resources?: boolean | 'auto'; readonly prompts?: boolean | 'auto' };
}

const asTool = either(trueOrFalse, oneOf('auto'));

const riskName = rule(
  'a text of letters from A to Z, digits, "_" and "-"',
  (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(value),
);

const AUTO = 'auto';

const surfacesByClient = rule(
  `an object with one of ${SURFACE_NAMES.map((name) => `"${name}"`).join(', ')} for each client`,
  (value) =>
    isPlainObject(value) &&
    Object.values(value).every((name) => (SURFACE_NAMES as readonly unknown[]).includes(name)),
);

const RISK_NAME_RULES: OptionRules<RiskNames> = { read: riskName, write: riskName, destructive: riskName };

const SURFACE_RULES: OptionRules<SurfaceOptions> = {
  use: oneOf(AUTO, ...SURFACE_NAMES),
  clients: surfacesByClient,
  profiles: either(filledText, anObject),
  riskNames: objectOf(RISK_NAME_RULES),
  choose: either(
    rule('false', (value) => value === false),
    listOf(oneOf(...SURFACE_CHOICES)),
  ),
  foreignNames: trueOrFalse,
  progressiveOver: wholeNumber(0),
  asTools: either(asTool, objectOf({ resources: asTool, prompts: asTool })),
};

export const surfaceRule = either(oneOf(AUTO, ...SURFACE_NAMES), objectOf(SURFACE_RULES));

const MAX_VIEW_COUNT = 256;

function maxViewsIn(auth: AuthOptions | false): number {
  const { maxViews = MAX_VIEW_COUNT } = auth === false ? {} : auth;
  return maxViews;
}

/** The option `surface`. */
export type SurfaceOption = SurfaceName | 'auto' | SurfaceOptions;

function wantedByClients({ clients = {} }: SurfaceOptions): readonly SurfaceName[] {
  return Object.values(clients);
}

/** Undefined where clients get what the groups say, and nothing else. */
export function readSurfaces(
  given: SurfaceOption = 'own',
  auth: AuthOptions | false = false,
  fitting?: SurfaceSettings['fitting'],
): SurfaceSettings | undefined {
  if (given === 'own') return undefined;
  const options: SurfaceOptions = typeof given === 'string' ? { use: given } : given;
  const { use: used = 'own', riskNames, choose = SURFACE_CHOICES, foreignNames = true } = options;
  // An unknown client gets what the groups say
  const use = used === AUTO ? 'own' : used;
  const choices = new Set(choose === false ? [] : choose);
  const names = Object.freeze({ ...RISK_NAMES, ...riskNames });
  const reaches = createSurface('flat');
  const wanted = new Set([use, ...wantedByClients(options)]);
  const surfaces = SURFACE_NAMES.map((name) =>
    name === 'flat'
      ? reaches
      : createSurface(name, { riskNames: names, reaches, isWanted: wanted.has(name) }),
  ).filter((each) => each !== undefined);
  return Object.freeze({
    use,
    fitting,
    all: new Map<string, Surface>(surfaces.map((surface) => [surface.name, surface])),
    form: createForms(),
    served: choices.size > 0 || used === AUTO ? surfaces : surfaces.filter(({ name }) => name === use),
    choose: choices,
    foreignNames,
    maxViews: maxViewsIn(auth),
  });
}

function createForms(): SurfaceSettings['form'] {
  const known = new Map<string, Surface>();
  return (plain, form) => {
    const made = createSurface(plain?.name ?? 'own', { ...plain, ...form }) as Surface;
    const surface = known.get(made.key) ?? made;
    known.set(surface.key, surface);
    return surface;
  };
}

/**
 * What finds the surface that fits a client; undefined where all clients get the same, and where the option is wrong.
 * @param options of an application, unchecked
 */
export async function loadFitting(
  options: unknown,
  problems: ProblemList,
): Promise<SurfaceSettings['fitting']> {
  const given = membersOf(options)['surface'] as SurfaceOption | undefined;
  // What is wrong with the option is reported with all others
  if (given === undefined || surfaceRule.faultsOf(given, '').length > 0) return undefined;
  const {
    use,
    clients = {},
    profiles: corrections,
    progressiveOver,
  }: SurfaceOptions = typeof given === 'string' ? { use: given } : given;
  if (use !== AUTO && corrections === undefined) return undefined;
  const { loadProfiles } = await import('../profiles/profiles.ts');
  const { fitClient } = await import('../profiles/fit-client.ts');
  try {
    const profiles = await loadProfiles(corrections);
    for (const id of Object.keys(clients))
      if (profiles.byId(id) === undefined) reportUnknownClient(id, profiles.ids, problems);
    if (use !== AUTO) return undefined;
    return createFitting(profiles, (profile) => fitClient(profile, { clients, progressiveOver }));
  } catch (error) {
    problems.addThrown(error);
    return undefined;
  }
}

function createFitting(
  profiles: ClientProfiles,
  fitClient: (profile: Profile) => FittingSurface,
): ClientFitting {
  const known = new Map<string, FittingSurface>();
  const byProfile = new WeakMap<Profile, FittingSurface>();
  const fit = (profile: Profile): FittingSurface => {
    const last = byProfile.get(profile);
    if (last !== undefined) return last;
    const made = fitClient(profile);
    const key = JSON.stringify(made);
    const found = known.get(key) ?? made;
    known.set(key, found);
    byProfile.set(profile, found);
    return found;
  };
  const fits = new Map<FittingSurface, string[]>();
  for (const id of profiles.ids) {
    const { kind, match = [], userAgent = [] } = profiles.clients[id] ?? {};
    // The others send nothing to know them by
    if (kind === 'directory' || (match.length === 0 && userAgent.length === 0)) continue;
    const fitting = fit(profiles.byId(id) as Profile);
    fits.set(fitting, [...(fits.get(fitting) ?? []), id]);
  }
  return Object.freeze({
    find: ({ name, version, userAgent }: ClientClaim) =>
      fit(name === undefined ? profiles.profileOfUserAgent(userAgent) : profiles.profileOf(name, version)),
    fits,
  });
}

function reportUnknownClient(id: string, ids: readonly string[], problems: ProblemList): void {
  problems.add('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option surface.clients',
    what: `has the client ${quoteText(id)}, which is not known.`,
    fix: `write the id of a client${didYouMean(id, ids) ?? ''}; npx toolwright clients lists them`,
  });
}

/** A list that depends on what a client chooses, or is, must not be cached for all of them. */
export function checkSharedLists(
  {
    surfaces,
    cache,
  }: { readonly surfaces: SurfaceSettings | undefined; readonly cache: CacheOptions | undefined },
  problems: ProblemList,
): void {
  const chosen = (['query', 'header'] as const).find((choice) => surfaces?.choose.has(choice));
  const mixed = surfaces?.fitting === undefined ? chosen : 'client';
  if (cache?.scope !== 'public' || mixed === undefined) return;
  problems.add('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option cache.scope',
    what: `is "public", but the list depends on the ${mixed} of a request.`,
    why: 'a shared cache would give the tools of one surface to clients that chose another one.',
    fix: "surface: { choose: ['path'] }, so that each surface has a URL, or cache: { scope: 'private' }",
  });
}
