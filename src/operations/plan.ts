import { McpApplication, Module, type ApplicationOptions, type DynamicModule } from '../index.ts';
import type { Problem } from '../errors/problem-list.ts';
import { countActionTokens, countToolTokens } from '../tokens/index.ts';
import { tooMany, type Curated, type SelectionLimits } from './curation.ts';
import { actionPlace } from './names.ts';
import type { Operation } from './operation.ts';

/** An operation in a plan. */
export interface PlannedOperation {
  /** Names it in patterns: `POST /tasks/{id}/close`. */
  readonly key: string;
  /** Where it comes from: `TasksController.close`. */
  readonly origin: string;
  /** The name of its group. */
  readonly group: string;
  /** The name of its action. */
  readonly name: string;
  /** What the action adds to its tool; 0 where it is left out. */
  readonly tokens: number;
  /** Its hints for clients. */
  readonly hints: Readonly<Record<'readOnly' | 'destructive' | 'idempotent', boolean>>;
  /** Why it is left out: a reason, or that a pattern does not select it. */
  readonly leftOut?: { readonly reason: string; readonly note: string };
}

/** A group in a plan. */
export interface PlannedGroup {
  /** Its name, which is that of its tool. */
  readonly name: string;
  /** How many actions it has. */
  readonly actions: number;
  /** How many of them change nothing. */
  readonly reads: number;
  /** How many of them change something. */
  readonly writes: number;
  /** What its tool costs. */
  readonly tokens: number;
  /** How many of its operations are left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What an API would offer, and what it costs. */
export interface ApiPlan {
  /** All operations, those that are left out included. */
  readonly operations: readonly PlannedOperation[];
  /** All groups, the dearest first. */
  readonly groups: readonly PlannedGroup[];
  /** What all that is offered comes to. */
  readonly total: Pick<PlannedGroup, 'actions' | 'reads' | 'writes' | 'tokens'>;
  /** A list for `include` that stays within the limits. */
  readonly include: readonly string[];
  /** What is over the limits; empty within them. */
  readonly problems: readonly Problem[];
}

/** The root of an application that is counted. */
class PlannedModule {}
Module()(PlannedModule);

/** What decides how tools are listed. The rest would open stores, or ask for keys. */
const LISTED: readonly (keyof ApplicationOptions)[] = ['expose', 'describe', 'unknownFields', 'openWorld'];

/** Makes the operations alone an application, and counts it. */
export async function planModule(
  curated: Curated,
  module: DynamicModule,
  options: ApplicationOptions,
  limits: SelectionLimits,
): Promise<ApiPlan> {
  const listed = Object.fromEntries(
    Object.entries(options).filter(([name]) => LISTED.includes(name as never)),
  );
  const root = { module: PlannedModule, imports: [module] };
  const made = await McpApplication.create(root, { ...listed, logger: () => undefined });
  try {
    return await planOperations(curated, made, limits);
  } finally {
    await made.close();
  }
}

/** Counts what an application of these operations offers. Other tools of it count for the total alone. */
export async function planOperations(
  curated: Curated,
  application: McpApplication,
  limits: SelectionLimits,
): Promise<ApiPlan> {
  const { offered, leftOut, suggest } = curated;
  const { tokens, tools } = await countToolTokens(application.definitions);
  const each = await countActionTokens(application);
  const ofTool = new Map(tools.map((tool) => [tool.name, tool.tokens]));
  const cost = (operation: Operation): number => {
    const { tool, key } = actionPlace(operation);
    return (
      each[tool]?.find((action) => action.key === key)?.tokens ??
      ofTool.get(tool) ??
      ofTool.get(`${tool}_${key.replaceAll('.', '_')}`) ??
      0
    );
  };
  // A tool with groups in it costs what all of them do
  const roots = new Set(offered.map(({ parents = [] }) => parents[0]));
  const groups = [...new Set([...offered, ...leftOut].map(({ group }) => group))].map((name) =>
    planGroup(name, curated, (operations) =>
      roots.has(name) ? sum(operations.map(cost)) : (ofTool.get(name) ?? sum(operations.map(cost))),
    ),
  );
  const counted = { ...limits, tokens: new Map(groups.map((group) => [group.name, group.tokens])) };
  const isOver = offered.length > limits.maxActions || tokens > (limits.maxTokens ?? Infinity);
  return Object.freeze({
    operations: [
      ...offered.map((operation) => planned(operation, cost(operation))),
      ...leftOut.map((operation) => planned(operation, 0, true)),
    ],
    groups: groups.toSorted((left, right) => right.tokens - left.tokens),
    total: { ...counts(offered), tokens },
    include: suggest(counted),
    problems: isOver ? [tooMany(offered, counted, suggest)] : [],
  });
}

function planned(
  { key, origin, group, name, hints, leftOut }: Operation,
  tokens: number,
  isLeftOut = false,
): PlannedOperation {
  const reason =
    leftOut ?? ({ reason: 'not-selected', note: 'include or exclude does not select it' } as const);
  return { key, origin, group, name, tokens, hints, ...(isLeftOut ? { leftOut: reason } : {}) };
}

function planGroup(
  name: string,
  { offered, leftOut }: Curated,
  cost: (operations: readonly Operation[]) => number,
): PlannedGroup {
  const own = offered.filter(({ group }) => group === name);
  const reasons: Record<string, number> = {};
  for (const { leftOut: why } of leftOut.filter(({ group }) => group === name)) {
    const reason = why?.reason ?? 'not-selected';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return { name, ...counts(own), tokens: own.length === 0 ? 0 : cost(own), leftOut: reasons };
}

function counts(operations: readonly Operation[]): Pick<PlannedGroup, 'actions' | 'reads' | 'writes'> {
  const reads = operations.filter(({ hints }) => hints.readOnly).length;
  return { actions: operations.length, reads, writes: operations.length - reads };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
