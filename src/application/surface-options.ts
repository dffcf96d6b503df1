import {
  createSurface,
  RISK_NAMES,
  SURFACE_NAMES,
  type RiskNames,
  type Surface,
  type SurfaceName,
  type SurfaceSettings,
} from '../compile/surfaces/surface.ts';
import type { AuthOptions } from '../metadata/auth-options.ts';
import { either, objectOf, oneOf, rule, trueOrFalse, type OptionRules } from '../shared/option-rules.ts';

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
  const { use = 'own', riskNames, foreignNames = true } = typeof given === 'string' ? { use: given } : given;
  const names = Object.freeze({ ...RISK_NAMES, ...riskNames });
  const surfaces = SURFACE_NAMES.map((name) => createSurface(name, names)).filter(
    (each) => each !== undefined,
  );
  const all = new Map<string, Surface>(surfaces.map((surface) => [surface.name, surface]));
  const { maxViews = MAX_VIEW_COUNT } = auth === false ? {} : auth;
  return Object.freeze({
    use,
    all,
    served: Object.freeze(surfaces.filter(({ name }) => name === use)),
    foreignNames,
    maxViews,
  });
}
