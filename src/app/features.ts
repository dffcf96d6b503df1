import { auditing } from '../features/audit/feature.ts';
import { budgets } from '../features/budgets/feature.ts';
import { clientResults } from '../features/client-results/feature.ts';
import { consentFeature } from '../features/consent/feature.ts';
import { callerState } from '../features/state/feature.ts';
import { skillsFeature } from '../features/skills/feature.ts';
import { serverCard } from '../features/server-card/feature.ts';
import { proxyFeature } from '../features/proxy/feature.ts';
import { signingIn } from '../features/sign-in/feature.ts';
import { taskFeature } from '../features/tasks/feature.ts';
import { observing } from '../features/telemetry/feature.ts';
import { viewsFeature } from '../features/views/feature.ts';
import type { AnyFeature, Composition } from '../features/feature.ts';
import { idempotentCalls } from '../features/idempotency/feature.ts';
import { primitiveTools } from '../features/primitive-tools/feature.ts';
import { limitsFeature } from '../features/limits/feature.ts';
import { timeLimits } from '../features/time-limit/feature.ts';
import { withFeatureStages } from '../runtime/feature-stages.ts';
import type { OptionGroups } from '../runtime/runtime-facet.ts';
import { STAGES } from '../runtime/stages.ts';
import type { OptionRules } from '../shared/option-rules.ts';
import type { Slots } from '../shared/slots.ts';

export type { ServerCardOptions } from '../features/server-card/card-options.ts';

/** A feature may import those before it. */
export const FEATURES: readonly AnyFeature[] = Object.freeze([
  taskFeature,
  idempotentCalls,
  consentFeature,
  primitiveTools,
  clientResults,
  budgets,
  limitsFeature,
  timeLimits,
  callerState,
  viewsFeature,
  skillsFeature,
  proxyFeature,
  signingIn,
  serverCard,
  auditing,
  observing,
]);

/** The features with their stages among those of the kernel. */
export function compose(features: readonly AnyFeature[]): Composition {
  return Object.freeze({ features, stages: withFeatureStages(STAGES, features) });
}

export const COMPOSITION: Composition = compose(FEATURES);

/** The rules of options of an application that features add. */
export function applicationRules(features: readonly AnyFeature[]): OptionRules<object> {
  return Object.assign(
    {},
    ...features.map(({ options }) => options?.application ?? {}),
  ) as OptionRules<object>;
}

/** The options of an application, with what counts in every application. */
export function withDefaults(options: OptionGroups, features: readonly AnyFeature[]): OptionGroups {
  return features.reduce((given, feature) => feature.withDefaults?.(given) ?? given, options);
}

/** What features keep where an action and its groups say nothing. */
export function outerSlots(options: OptionGroups, features: readonly AnyFeature[]): Slots {
  const entries = features.flatMap((feature) => {
    const kept: unknown = feature.around?.(options);
    return kept === undefined ? [] : [[feature.name, kept] as const];
  });
  return Object.freeze(Object.fromEntries(entries));
}
