import { boundIssues, MOST_MADE, unknownField, type CheckOutcome, type Issue } from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { Contract } from '../contracts/contract.ts';
import type { InputContracts } from '../contracts/input-contracts.ts';
import type { ResolvedInput, ResolvedInputOutcome, ResolveInput } from './stages.ts';

type Checked = CheckOutcome<object>;

const NONE: readonly never[] = Object.freeze([]);
const NOBODY: ReadonlySet<string> = new Set();

export interface InputOptions {
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  readonly unknownFields: UnknownFields;
  /** The fields of all actions that the caller sees in the tool: null in a field of another action is absent. */
  readonly toolFields?: ReadonlySet<string>;
}

/**
 * Compiles validation for an action with several contracts, or none. Each contract checks its own fields; fields that
 * belong to none are checked here.
 */
export function compileJoinedInput(
  { common, own, owners }: InputContracts,
  { discriminator, unknownFields, toolFields = NOBODY }: InputOptions,
): ResolveInput {
  const contracts: readonly Contract[] = own === undefined ? common : [...common, own];
  const checksUnknown =
    unknownFields === 'strict' && !contracts.some((contract) => contract.acceptsFurtherNames);
  const redeclared = findRedeclaredFields(contracts, owners);
  const names = Object.freeze([...owners.keys()]);

  // The discriminator is not unknown, nor is null in a field that only other actions have
  const isBeside = (name: string, args: PlainObject): boolean =>
    name === discriminator || (args[name] === null && toolFields.has(name));
  const findUnknown = (args: PlainObject): readonly Issue[] => {
    if (!checksUnknown) return NONE;
    const unknown = Object.keys(args).filter((name) => !owners.has(name) && !isBeside(name, args));
    return unknown
      .slice(0, MOST_MADE)
      .map((name) => ({ ...unknownField(name, name, args[name], names), accepted: names }));
  };
  const settle = (unknown: readonly Issue[], checked: readonly Checked[]): ResolvedInputOutcome => {
    const failure = checked.find((outcome) => outcome.failure !== undefined)?.failure;
    const issues = [...checked.flatMap((outcome) => (outcome.ok ? [] : outcome.issues)), ...unknown];
    if (issues.length > 0) return { ok: false, issues: boundIssues(issues), failure };
    const values = checked.map(valueOf);
    copyRedeclaredFields(redeclared, values);
    return { ok: true, value: joinInput(contracts, values, own !== undefined), failure };
  };
  return (args) => {
    const unknown = findUnknown(args);
    const outcomes = contracts.map((contract) => contract.check(slice(args, contract, owners, isBeside)));
    return outcomes.some((outcome) => outcome instanceof Promise)
      ? Promise.all(outcomes.map(async (outcome) => outcome)).then((checked) => settle(unknown, checked))
      : settle(unknown, outcomes as readonly Checked[]);
  };
}

/** The arguments that one contract checks, with those that its rules may read. */
function slice(
  args: PlainObject,
  contract: Contract,
  owners: ReadonlyMap<string, Contract>,
  isBeside: (name: string, args: PlainObject) => boolean,
): PlainObject {
  const part: Record<string, unknown> = {};
  for (const name of Object.keys(args)) {
    const owner = owners.get(name);
    const isFurther = owner === undefined && contract.acceptsFurtherNames && !isBeside(name, args);
    const isRead = owner === contract || isFurther || contract.redeclared.includes(name);
    // `__proto__` can only come as a further name; assigning it would change the prototype
    if (isRead && name !== '__proto__') part[name] = args[name];
  }
  return part;
}

function valueOf(outcome: Checked): object {
  return (outcome as { readonly value: object }).value;
}

/** A field that an outer and an inner contract declare; the inner one decides its value. */
interface RedeclaredField {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Finds the fields that an inner contract declares again. @param contracts outermost first */
function findRedeclaredFields(
  contracts: readonly Contract[],
  owners: ReadonlyMap<string, Contract>,
): readonly RedeclaredField[] {
  return contracts.flatMap(({ redeclared }, to) =>
    redeclared.flatMap((name) => {
      const from = contracts.findIndex((contract) => contract === owners.get(name));
      return from < 0 ? [] : [{ name, from, to }];
    }),
  );
}

/** Copies redeclared fields from the inner values into the outer ones. */
function copyRedeclaredFields(plan: readonly RedeclaredField[], values: readonly object[]): void {
  for (const { name, from, to } of plan) {
    const target = values[to] as Record<string, unknown>;
    const source = values[from] as Record<string, unknown>;
    if (Object.hasOwn(source, name)) target[name] = source[name];
    else Reflect.deleteProperty(target, name);
  }
}

/**
 * Joins the checked parts to the handler's input. An input of a class is an instance of that class
 * that carries the common fields, too; otherwise the parts are merged into one plain object.
 */
function joinInput(
  contracts: readonly Contract[],
  values: readonly object[],
  hasOwn: boolean,
): ResolvedInput {
  const common = hasOwn ? values.slice(0, -1) : values;
  return { input: inputOf(contracts, values), common };
}

function inputOf(contracts: readonly Contract[], values: readonly object[]): unknown {
  const innermost = values.at(-1);
  if (innermost === undefined) return {};
  if (values.length === 1) return innermost;
  if (contracts.at(-1)?.type === undefined) return Object.assign({}, ...values) as object;
  const declared = new Set(contracts.at(-1)?.names);
  for (const outer of values.slice(0, -1).reverse()) addMissing(innermost, outer, declared);
  return innermost;
}

function addMissing(target: object, source: object, declared: Set<string>): void {
  for (const [name, value] of Object.entries(source)) {
    if (declared.has(name)) continue;
    declared.add(name);
    (target as Record<string, unknown>)[name] = value;
  }
}
