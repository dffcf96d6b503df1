/**
 * A condition on the context of a workflow. All operators of one object must hold; `{}` is true.
 *
 * @example
 * const isLarge: Condition = { var: 'files', gt: 10, not: { var: 'draft', equals: true } };
 */
export interface Condition {
  /** The name of one variable, not a path; without a comparator the condition is whether it is truthy. */
  readonly var?: string;
  readonly equals?: unknown;
  readonly not_equals?: unknown;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly and?: readonly Condition[];
  readonly or?: readonly Condition[];
  readonly not?: Condition;
}

/** The variables that conditions look at. */
export type WorkflowContext = Readonly<Record<string, unknown>>;

/**
 * Where variables are looked up: the first layer that has the name as its own says what it is. Layers are not copied
 * into one, because that would take long for a large context, and loops look at each iteration.
 */
export type Scope = readonly WorkflowContext[];

export function variableIn(scope: Scope, name: string): unknown {
  return scope.find((layer) => Object.hasOwn(layer, name))?.[name];
}

/** A copy as one object, for code that does not know layers. */
export function mergedScope(scope: Scope): WorkflowContext {
  return scope.reduceRight((below, layer) => ({ ...below, ...layer }), {});
}
