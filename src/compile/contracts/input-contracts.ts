import type { CheckExplanation } from '../../dto/check/explanation.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import { inlineReferences } from '../../schema/inline.ts';
import { REDACTED } from '../../errors/redact.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { listFields, NO_FIELDS, type FieldList } from '../fields/field-list.ts';
import type { Contract, ContractOptions, OutputContract } from './contract.ts';
import { createContract, createOutputContract } from './create-contract.ts';
import { boundIssues } from '../../call/bounded-issues.ts';
import { MOST_MADE, unknownField, type CheckOutcome, type Issue } from '../../call/issue.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import type { PlainObject } from '../../shared/json.ts';
import type {
  ResolvedInput,
  ResolvedInputOutcome,
  ResolveInput,
} from '../../kernel/call/compiled-callable.ts';

/** The contracts of the arguments of one call. */
export interface InputContracts {
  /** In the order of the common schemas, outermost first. */
  readonly common: readonly Contract[];
  readonly own: Contract | undefined;
  /** Every declared name → the contract that checks it: the handler's own, else the innermost common one. */
  readonly owners: ReadonlyMap<string, Contract>;
}

/** The names of the sensitive fields of all inputs, and of those that hold some. */
export function sensitiveNamesOf(inputs: readonly InputContracts[]): ReadonlySet<string> {
  const contracts = new Set(inputs.flatMap(allContracts));
  return new Set([...contracts].flatMap(({ redaction }) => [...(redaction?.names ?? [])]));
}

/**
 * Creates each contract once: every action needs the common schema, and tools may share a DTO.
 * A source that cannot become a contract is reported for each place that uses it, and replaced by a contract without
 * fields.
 */
export class ContractCache {
  readonly #problems: ProblemList;
  readonly #isScanned: boolean;
  readonly #inputs = new Map<SchemaSource, Map<string, Contract>>();
  readonly #outputs = new Map<SchemaSource, OutputContract>();

  /** @param isScanned true if the scanner found no problems, so no class is checked again */
  constructor(problems: ProblemList, { isScanned = false }: Pick<ContractOptions, 'isScanned'> = {}) {
    this.#problems = problems;
    this.#isScanned = isScanned;
  }

  input(source: SchemaSource, options: ContractOptions): Contract {
    const ofSource = this.#inputs.get(source) ?? new Map<string, Contract>();
    this.#inputs.set(source, ofSource);
    const key = JSON.stringify([options.unknownFields, options.without ?? []]);
    try {
      const contract =
        ofSource.get(key) ?? createContract(source, { isScanned: this.#isScanned, ...options });
      ofSource.set(key, contract);
      return contract;
    } catch (thrown) {
      this.#problems.addThrown(thrown);
      return withoutFields(source);
    }
  }

  output(source: SchemaSource, where: string): OutputContract | undefined {
    try {
      const contract = this.#outputs.get(source) ?? createOutputContract(source, { where });
      this.#outputs.set(source, contract);
      return contract;
    } catch (thrown) {
      this.#problems.addThrown(thrown);
      return undefined;
    }
  }
}

/** Lets compile continue and find further problems; an application with a problem is never served. */
function withoutFields(source: SchemaSource): Contract {
  return {
    source,
    type: undefined,
    schema: { type: 'object' },
    names: [],
    redeclared: [],
    acceptsFurtherNames: false,
    looseFields: [],
    warnings: [],
    explanation: undefined,
    check: () => ({ ok: true, value: {} }),
  };
}

/**
 * Makes the contracts of a call. A name that an inner contract declares again is checked there alone,
 * so the outer contract is made without it.
 */
export function createInputContracts(
  { input, unknownFields, where }: Pick<ScannedCallable, 'input' | 'unknownFields' | 'where'>,
  common: readonly SchemaSource[],
  contracts: ContractCache,
): InputContracts {
  const sources = [...common, input].filter((source) => source !== undefined);
  const owners = new Map<string, Contract>();
  const made: Contract[] = [];
  for (const source of sources.reverse()) {
    const whole = contracts.input(source, { unknownFields, where });
    const taken = whole.names.filter((name) => owners.has(name));
    const contract =
      taken.length === 0 ? whole : contracts.input(source, { unknownFields, where, without: taken });
    for (const name of contract.names) owners.set(name, contract);
    made.unshift(contract);
  }
  const own = input === undefined ? undefined : made.pop();
  const all = own === undefined ? made : [...made, own];
  return Object.freeze({ common: made, own, owners: inDeclaredOrder(owners, all) });
}

function inDeclaredOrder(
  owners: ReadonlyMap<string, Contract>,
  contracts: readonly Contract[],
): ReadonlyMap<string, Contract> {
  const ordered = new Map<string, Contract>();
  for (const contract of contracts) {
    for (const name of contract.names) {
      const owner = owners.get(name);
      if (owner !== undefined) ordered.set(name, owner);
    }
  }
  return ordered;
}

/** Those of the common schemas, then the handler's own. */
export function allContracts({ common, own }: InputContracts): readonly Contract[] {
  return own === undefined ? common : [...common, own];
}

/** Explains the checks of one input; a check that is not compiled yet is compiled first. */
export function explainContracts(contracts: InputContracts): readonly CheckExplanation[] {
  return Object.freeze(
    allContracts(contracts).flatMap(({ explanation }) => (explanation === undefined ? [] : [explanation])),
  );
}

/** The fields of an input that arrives as single arguments, references resolved. */
export function argumentFields({ own }: InputContracts, where: string, problems: ProblemList): FieldList {
  if (own === undefined) return NO_FIELDS;
  const { schema, definitions } = inlineReferences(own.schema, where, problems);
  return listFields(schema, definitions);
}

type Checked = CheckOutcome<object>;

const NONE: readonly never[] = Object.freeze([]);
const NOBODY: ReadonlySet<string> = new Set();

export interface InputOptions {
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  readonly unknownFields: UnknownFields;
  /** The fields of all actions that the caller sees in the tool: null in a field of another action is absent. */
  readonly toolFields?: ReadonlySet<string>;
  /** An action of the tool has a sensitive field: a value under a wrong name may be one, and is not shown. */
  readonly hasSensitive?: boolean;
  /** The names of all sensitive fields of the application: a client may send what is meant for another tool. */
  readonly sensitiveNames?: ReadonlySet<string> | undefined;
  /** Values that the arguments of a call may consist of. Default 10,000. */
  readonly argumentNodes?: number | undefined;
}

/**
 * Compiles validation for an action with several contracts, or none. Each contract checks its own fields; fields that
 * belong to none are checked here.
 */
export function compileJoinedInput(
  { common, own, owners }: InputContracts,
  { discriminator, unknownFields, toolFields = NOBODY, hasSensitive = false }: InputOptions,
): ResolveInput {
  const contracts: readonly Contract[] = own === undefined ? common : [...common, own];
  const checksUnknown =
    unknownFields === 'strict' && !contracts.some((contract) => contract.acceptsFurtherNames);
  const redeclared = findRedeclaredFields(contracts, owners);
  const names = Object.freeze([...owners.keys()]);
  const isSilent = hasSensitive || contracts.some(({ redaction }) => redaction !== undefined);

  // The discriminator is not unknown, nor is null in a field that only other actions have
  const isBeside = (name: string, args: PlainObject): boolean =>
    name === discriminator || (args[name] === null && toolFields.has(name));
  const findUnknown = (args: PlainObject): readonly Issue[] => {
    if (!checksUnknown) return NONE;
    const unknown = Object.keys(args).filter((name) => !owners.has(name) && !isBeside(name, args));
    return unknown.slice(0, MOST_MADE).map((name) => ({
      ...unknownField(name, name, args[name], names),
      ...(isSilent ? { received: REDACTED } : {}),
      accepted: names,
    }));
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
