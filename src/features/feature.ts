import type { ProblemList } from '../errors/problem-list.ts';
import type { CompileFacet } from '../compile/compile-facet.ts';
import type { ActionGroup, LimitGroup, OptionGroups, RuntimeFacet } from '../runtime/runtime-facet.ts';
import type { StagedFacet } from '../runtime/feature-stages.ts';
import type { Rings } from '../runtime/routes/route.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ScanFacet } from '../scanner/scan-facet.ts';
import type { OptionRules } from '../shared/option-rules.ts';

/** A capability that cuts across all stages: what it says, keeps, prepares and does stands in one folder. */
export interface Feature<Said, Kept, Prepared, Bound, State>
  extends ScanFacet<Said, Kept>, CompileFacet<Kept, Prepared, Bound>, RuntimeFacet<State>, StagedFacet {
  /** Options of an application, and members of option groups: of its `limits`, of those of an action or group, and of an action. */
  readonly options?: {
    readonly application?: OptionRules<object>;
    readonly limits?: OptionRules<object>;
    readonly callLimits?: OptionRules<object>;
    readonly action?: OptionRules<object>;
  };
  /** What the `limits` of an action or group say, in the plain API. */
  saidIn?(limits: LimitGroup): Said | undefined;
  /** What an action or group says of itself, in the plain API. */
  saidOf?(action: ActionGroup): Said | undefined;
  /** The options of an application, with what counts in every application. */
  withDefaults?(options: OptionGroups): OptionGroups;
  /** Reports what can never work in an application with these options. */
  check?(scanned: ScannedApplication, options: OptionGroups, problems: ProblemList): void;
  /** What is kept where an action and its groups say nothing. */
  around?(options: OptionGroups): Kept | undefined;
}

/** A feature of any kind: what one of its members gave goes to the others of the same feature. */
export type AnyFeature = Feature<never, never, never, unknown, never>;

/** What an application consists of beside the kernel. */
export interface Composition {
  /** In the order in which they may know each other. */
  readonly features: readonly AnyFeature[];
  /** The stages of the kernel, with those of the features at their places. */
  readonly stages: Rings;
}

/** Takes the types of a feature from what is written, and forgets them: its parts go to nobody else. */
export function feature<Said, Kept, Prepared, Bound, State>(
  written: Feature<Said, Kept, Prepared, Bound, State>,
): AnyFeature {
  return Object.freeze(written) as AnyFeature;
}
