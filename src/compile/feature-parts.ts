import type { Problem, ProblemList } from '../errors/problem-list.ts';
import type { AttemptStages } from '../kernel/call/stage.ts';
import type { Slots } from '../shared/slots.ts';
import type { BoundAction, CompileFacet } from './compile-facet.ts';

/** A feature of any kind, as the compiler sees it: its parts go back to it and to nobody else. */
export type AnyCompileFacet = CompileFacet<never, never>;

/** What actions are compiled with: the features that are asked, and the stages that they and the kernel have. */
export interface Composition {
  readonly features: readonly AnyCompileFacet[];
  readonly stages: AttemptStages;
}

/** What features prepare of an action. */
export function prepareFeatures(
  action: Pick<BoundAction, 'scanned' | 'output'>,
  features: readonly AnyCompileFacet[],
  problems: ProblemList,
): Slots {
  const { slots } = action.scanned;
  return slotsBy(features, (feature) =>
    feature.prepareAction?.(action, slots[feature.name] as never, problems),
  );
}

/** What the stages of features read of an action. */
export function bindFeatures(action: PreparedFeatures, features: readonly AnyCompileFacet[]): Slots {
  return slotsBy(features, (feature) => {
    const [kept, prepared] = partsOf(action, feature);
    return feature.bindAction === undefined ? kept : feature.bindAction(action, kept, prepared);
  });
}

/** What features warn of. */
export function featureWarnings(
  action: PreparedFeatures,
  features: readonly AnyCompileFacet[],
): readonly Problem[] {
  return features.flatMap((feature) => feature.warningsOf?.(action, ...partsOf(action, feature)) ?? []);
}

type PreparedFeatures = BoundAction & { readonly prepared: Slots };

/** What a feature kept and prepared of an action. */
function partsOf({ scanned, prepared }: PreparedFeatures, { name }: AnyCompileFacet): [never, never] {
  return [scanned.slots[name] as never, prepared[name] as never];
}

function slotsBy(features: readonly AnyCompileFacet[], partOf: (feature: AnyCompileFacet) => unknown): Slots {
  return Object.freeze(Object.fromEntries(features.map((feature) => [feature.name, partOf(feature)])));
}
