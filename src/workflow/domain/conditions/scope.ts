import type { WorkflowContext } from './condition.ts';

/**
 * Where variables are looked up: the first layer that has the name as its own says what it is. Layers are not copied
 * into one, because that would take long for a large context, and loops look at each iteration.
 */
export type Scope = readonly WorkflowContext[];

export function variableIn(scope: Scope, name: string): unknown {
  return scope.find((layer) => Object.hasOwn(layer, name))?.[name];
}

/** A copy as one object, for whoever has no notion of layers. */
export function mergedScope(scope: Scope): WorkflowContext {
  return scope.reduceRight((below, layer) => ({ ...below, ...layer }), {});
}
