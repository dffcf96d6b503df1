import type { Problem, ProblemList } from '../errors/problem-list.ts';
import type { Attempt } from '../kernel/call/attempt.ts';
import { NO_NEEDS, type AttemptStages, type CallNeeds } from '../kernel/call/stage.ts';
import type { ScannedAction } from '../scanner/actions/scan-tools.ts';
import type { Slots } from '../shared/slots.ts';
import type { ApartAction, BoundAction, CompileFacet } from './compile-facet.ts';
import type { ListedAction } from './tools/compiled-tool.ts';
import type { ReservedArgument } from './tools/reserved-arguments.ts';

/** A feature of any kind, as the compiler sees it: its parts go back to it and to nobody else. */
export type AnyCompileFacet = CompileFacet<never, never>;

/** What actions are compiled with: the features that are asked, and the stages that they and the kernel have. */
export interface Composition {
  readonly features: readonly AnyCompileFacet[];
  readonly stages: AttemptStages;
}

/** The arguments that features reserve in an action. */
export function reservedArguments(
  { slots }: ScannedAction,
  features: readonly AnyCompileFacet[],
): readonly ReservedArgument[] {
  return keepersOf(slots, features).flatMap(([feature, kept]) => feature.reserved?.(kept) ?? []);
}

/** What features have to say of an action in the list of actions. */
export function listedParts(
  { slots }: ScannedAction,
  features: readonly AnyCompileFacet[],
): Partial<ListedAction> {
  const parts = keepersOf(slots, features).map(([feature, kept]) => feature.listed?.(kept));
  return Object.freeze(Object.assign({}, ...parts)) as Partial<ListedAction>;
}

/** What makes an action a tool of its own on every surface; undefined where nothing does. */
export function findApart(
  { slots }: ScannedAction,
  features: readonly AnyCompileFacet[],
): ApartAction | undefined {
  return keepersOf(slots, features).flatMap(([feature, kept]) => feature.apart?.(kept) ?? [])[0];
}

/** How many characters a result of an action may have; undefined where its author says nothing of it. */
export function findResultLength(
  { slots }: ScannedAction,
  features: readonly AnyCompileFacet[],
): number | undefined {
  const lengths = keepersOf(slots, features).flatMap(([feature, kept]) => feature.resultLength?.(kept) ?? []);
  return lengths.length === 0 ? undefined : Math.min(...lengths);
}

/** What features need of the calls of an action. */
export function callNeeds({ slots }: ScannedAction, features: readonly AnyCompileFacet[]): CallNeeds {
  const needs = keepersOf(slots, features).flatMap(([feature, kept]) => feature.needs?.(kept) ?? []);
  if (needs.length === 0) return NO_NEEDS;
  const entering = needs.flatMap(({ onEnter }) => onEnter ?? []);
  return Object.freeze({
    bindsArguments: needs.some(({ bindsArguments }) => bindsArguments),
    guardsRestart: needs.some(({ guardsRestart }) => guardsRestart),
    countsCalls: needs.some(({ countsCalls }) => countsCalls),
    onEnter:
      entering.length < 2
        ? entering[0]
        : (attempt: Attempt) => {
            for (const enter of entering) enter(attempt);
          },
  });
}

/** The features that keep something of an action, each with what it is. */
function keepersOf(slots: Slots, features: readonly AnyCompileFacet[]) {
  return features
    .filter(({ name }) => slots[name] !== undefined)
    .map((feature) => [feature, slots[feature.name] as never] as const);
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
