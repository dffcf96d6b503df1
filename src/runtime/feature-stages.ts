import type { AroundLayer } from '../compile/stages/compile-callable.ts';
import type { AttemptStages, CompileStage as CompileAttemptStage } from '../kernel/call/stage.ts';
import type { CompileStage, CompileState, Rings } from './routes/route.ts';
import type { OptionGroups } from './runtime-facet.ts';

/** One stage, at its place in the ring. */
export type StageEntry =
  | {
      readonly ring: 'request';
      readonly place: keyof Rings['request'];
      readonly compile: CompileStage;
    }
  | {
      readonly ring: 'conversation';
      readonly place: Exclude<keyof Rings['conversation'], 'state'>;
      readonly compile: CompileStage;
    }
  | { readonly ring: 'conversation'; readonly place: 'state'; readonly compile: CompileState }
  | { readonly ring: 'attempt'; readonly place: keyof AttemptStages; readonly compile: CompileAttemptStage };

/** The stages of a feature. */
export interface StagedFacet {
  readonly stages?: readonly StageEntry[];
  /** Further stages of an application, where its options ask for them. */
  stagesFor?(options: OptionGroups): readonly StageEntry[];
  /** The stages of an application, with something around them, where its options ask for that. */
  wrapStages?(stages: Rings, options: OptionGroups): Rings;
  /** What runs each middleware; undefined where the feature does not want to know when it runs. */
  aroundMiddleware?(options: OptionGroups): AroundLayer | undefined;
}

/** The stages of the kernel with those of features at their places. */
export function withFeatureStages(stages: Rings, features: readonly StagedFacet[]): Rings {
  return placeStages(
    stages,
    features.flatMap((feature) => feature.stages ?? []),
  );
}

/** The same, with those that the options of an application ask for. */
export function withOptionalStages(
  stages: Rings,
  features: readonly StagedFacet[],
  options: OptionGroups,
): Rings {
  const placed = placeStages(
    stages,
    features.flatMap((feature) => feature.stagesFor?.(options) ?? []),
  );
  return features.reduce((given, feature) => feature.wrapStages?.(given, options) ?? given, placed);
}

/** What runs each middleware of an application: that of the first feature which has something. */
export function findAroundMiddleware(
  features: readonly StagedFacet[],
  options: OptionGroups,
): AroundLayer | undefined {
  for (const feature of features) {
    const around = feature.aroundMiddleware?.(options);
    if (around !== undefined) return around;
  }
  return undefined;
}

function placeStages(stages: Rings, entries: readonly StageEntry[]): Rings {
  if (entries.length === 0) return stages;
  const ring = <Ring extends keyof Rings>(name: Ring): Rings[Ring] => {
    const own = entries.filter((entry) => entry.ring === name);
    const placed: Record<string, unknown> = {};
    for (const { place, compile } of own) {
      const given = { ...stages[name], ...placed } as Readonly<Record<string, unknown>>;
      if (given[place] !== undefined) throw new Error(`Two stages want the place ${place}`);
      placed[place] = compile;
    }
    return Object.freeze({ ...stages[name], ...placed }) as Rings[Ring];
  };
  return Object.freeze({
    request: ring('request'),
    conversation: ring('conversation'),
    attempt: ring('attempt'),
  });
}
