import type { Issue } from '../../call/issue.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedAction } from '../../scanner/actions/scan-tools.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { InputContracts } from '../contracts/input-contracts.ts';
import type { ResolvedInputOutcome, ResolveInput } from '../../kernel/call/compiled-callable.ts';

/** An argument that belongs to the framework: it is listed, and no DTO and no handler gets it. */
export interface ReservedArgument {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Whether a value is what the schema allows. */
  readonly isValid: (value: unknown) => boolean;
  /** What the schema allows, in words. */
  readonly expected: string;
}

/** The schema of the reserved arguments of an action; undefined where it has none. */
export function reservedSchema(reserved: readonly ReservedArgument[]): ObjectSchema | undefined {
  return reserved.length === 0 ? undefined : withReserved({ type: 'object' }, reserved);
}

/** A schema that lists the reserved arguments as well. */
export function withReserved(schema: ObjectSchema, reserved: readonly ReservedArgument[]): ObjectSchema {
  if (reserved.length === 0) return schema;
  const required = reserved.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  return Object.freeze({
    ...schema,
    properties: {
      ...schema.properties,
      ...Object.fromEntries(reserved.map((argument) => [argument.name, argument.schema])),
    },
    required: [...(schema.required ?? []), ...required],
  });
}

/** Reports the fields of a tool that have the name of an argument which one of its actions reserves. */
export function checkReserved(
  actions: readonly {
    readonly scanned: ScannedAction;
    readonly contracts: InputContracts;
    readonly reserved: readonly ReservedArgument[];
  }[],
  problems: ProblemList,
): void {
  const names = new Set(actions.flatMap(({ reserved }) => reserved.map(({ name }) => name)));
  for (const name of names) {
    for (const { scanned, contracts } of actions) {
      if (!contracts.owners.has(name)) continue;
      problems.at(scanned.where).add('TW_COMPILE_FIELD_RESERVED', {
        what: `declares the field "${name}", but that is an argument of the framework in this tool`,
        why: 'such an argument is listed by itself, and never reaches the handler',
        fix: 'rename the field',
      });
    }
  }
}

/** Checks the input without the reserved arguments, of which only the form is checked. */
export function besideReserved(
  reserved: readonly ReservedArgument[],
): (resolve: ResolveInput) => ResolveInput {
  const names = reserved.map(({ name }) => name);
  const taken = new Set<string>(names);
  return (resolve) => (args) => {
    const others = Object.fromEntries(Object.entries(args).filter(([name]) => !taken.has(name)));
    const wrong = reserved.flatMap((argument) => faultsOf(argument, args));
    return thenMaybe(resolve(others), (outcome) => joined(outcome, wrong, missingOf(reserved, args), names));
  };
}

/** A missing argument is an issue beside others; alone it has an answer of its own. */
function joined(
  outcome: ResolvedInputOutcome,
  wrong: readonly Issue[],
  missing: readonly Issue[],
  names: readonly string[],
): ResolvedInputOutcome {
  if (outcome.ok && wrong.length === 0) return outcome;
  const { failure } = outcome;
  const found = outcome.ok ? [] : outcome.issues.map((issue) => acceptingToo(issue, names));
  return { ok: false, issues: [...found, ...wrong, ...missing], failure };
}

/** What an unknown field is answered with names the reserved arguments as well. */
function acceptingToo(issue: Issue, names: readonly string[]): Issue {
  const isTop = issue.accepted !== undefined && !issue.path.includes('.');
  return isTop ? { ...issue, accepted: [...(issue.accepted ?? []), ...names] } : issue;
}

/** Without the received value: such an argument may be a secret. */
function faultsOf({ name, isValid, expected }: ReservedArgument, args: PlainObject): readonly Issue[] {
  const value = reservedValue(args, name);
  if (value === undefined || isValid(value)) return [];
  return [{ path: name, message: `must be ${expected}`, expected }];
}

function missingOf(reserved: readonly ReservedArgument[], args: PlainObject): readonly Issue[] {
  return reserved.flatMap(({ name, isRequired }) =>
    isRequired && reservedValue(args, name) === undefined
      ? [{ path: name, message: 'is required', received: 'nothing' }]
      : [],
  );
}

/** A reserved argument as a call brings it; null counts as none. */
export function reservedValue(args: PlainObject, name: ReservedArgument['name']): unknown {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value === null ? undefined : value;
}
