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
