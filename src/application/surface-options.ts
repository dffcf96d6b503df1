import {
  createSurface,
  RISK_NAMES,
  SURFACE_CHOICES,
  SURFACE_NAMES,
  type RiskNames,
  type Surface,
  type SurfaceName,
  type SurfaceSettings,
} from '../compile/surfaces/surface.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import type { AuthOptions } from '../app/auth-options.ts';
import type { CacheOptions } from '../metadata/options.ts';
import {
  either,
  listOf,
  objectOf,
  oneOf,
  rule,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';

/** How the actions of an application are offered. */
export interface SurfaceOptions {
  /** The surface of clients. Default `own`. */
  readonly use?: SurfaceName;
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
}

const riskName = rule(
  'a text of letters from A to Z, digits, "_" and "-"',
  (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(value),
);

const RISK_NAME_RULES: OptionRules<RiskNames> = { read: riskName, write: riskName, destructive: riskName };

const SURFACE_RULES: OptionRules<SurfaceOptions> = {
  use: oneOf(...SURFACE_NAMES),
  riskNames: objectOf(RISK_NAME_RULES),
  choose: either(
    rule('false', (value) => value === false),
    listOf(oneOf(...SURFACE_CHOICES)),
  ),
  foreignNames: trueOrFalse,
};

export const surfaceRule = either(oneOf(...SURFACE_NAMES), objectOf(SURFACE_RULES));

const MAX_VIEW_COUNT = 256;

/** Undefined where clients get what the groups say, and nothing else. */
export function readSurfaces(
  given: SurfaceName | SurfaceOptions = 'own',
  auth: AuthOptions | false = false,
): SurfaceSettings | undefined {
  if (given === 'own') return undefined;
  const options: SurfaceOptions = typeof given === 'string' ? { use: given } : given;
  const { use = 'own', riskNames, choose = SURFACE_CHOICES, foreignNames = true } = options;
  const choices = new Set(choose === false ? [] : choose);
  const names = Object.freeze({ ...RISK_NAMES, ...riskNames });
  const surfaces = SURFACE_NAMES.map((name) => createSurface(name, names)).filter(
    (each) => each !== undefined,
  );
  const all = new Map<string, Surface>(surfaces.map((surface) => [surface.name, surface]));
  const { maxViews = MAX_VIEW_COUNT } = auth === false ? {} : auth;
  return Object.freeze({
    use,
    all,
    served: Object.freeze(choices.size > 0 ? surfaces : surfaces.filter(({ name }) => name === use)),
    choose: choices,
    foreignNames,
    maxViews,
  });
}

/** A list that depends on what a client chooses must not be cached for all of them. */
export function checkSharedLists(
  {
    surfaces,
    cache,
  }: { readonly surfaces: SurfaceSettings | undefined; readonly cache: CacheOptions | undefined },
  problems: ProblemList,
): void {
  const mixed = (['query', 'header'] as const).find((choice) => surfaces?.choose.has(choice));
  if (cache?.scope !== 'public' || mixed === undefined) return;
  problems.add('TW_APPLICATION_OPTION', {
    where: 'McpApplication.create(), option cache.scope',
    what: `is "public", but the list depends on the ${mixed} of a request.`,
    why: 'a shared cache would give the tools of one surface to clients that chose another one.',
    fix: "surface: { choose: ['path'] }, so that each surface has a URL, or cache: { scope: 'private' }",
  });
}
