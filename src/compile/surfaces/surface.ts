/** How the actions of an application are offered to clients. */
export type SurfaceName = 'own' | 'grouped' | 'grouped-by-risk' | 'flat';

/** All of them, in the order in which names of other surfaces are looked for. */
export const SURFACE_NAMES: readonly SurfaceName[] = Object.freeze([
  'own',
  'grouped',
  'grouped-by-risk',
  'flat',
]);

/** What the calls of a tool may do: change nothing, change something, destroy something. */
export type Risk = 'read' | 'write' | 'destructive';

export const RISKS: readonly Risk[] = Object.freeze(['read', 'write', 'destructive']);

/** The last part of the names of tools that are grouped by risk. Risks with equal names are one tool. */
export type RiskNames = Readonly<Record<Risk, string>>;

export const RISK_NAMES: RiskNames = Object.freeze({
  read: 'read',
  write: 'write',
  destructive: 'destructive',
});

/** One way to offer actions, as an application chose it. */
export interface Surface {
  readonly name: Exclude<SurfaceName, 'own'>;
  readonly riskNames: RiskNames;
}

/** The surface of a name; undefined for `own`, which is what groups say themselves. */
export function createSurface(name: SurfaceName, riskNames: RiskNames = RISK_NAMES): Surface | undefined {
  return name === 'own' ? undefined : Object.freeze({ name, riskNames });
}
