import type { ErrorObject, KeywordCxt, Name } from 'ajv';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { mapSchemas } from '../subschemas.ts';
import { _, loadAjv, type AnyAjv } from './load-ajv.ts';

/** Thrown through generated code; it never leaves a validator. */
class OutOfSteps extends Error {}

/** A check of this many steps takes an eighth of a second, and an explanation of what it found half of that. */
const MAX_STEPS = 1_000_000;
const MAX_EXPLAINING_STEPS = 500_000;

/**
 * The steps that one check may take. A schema of a few lines can require 2^50 of them: two references to a definition
 * with two references, and so on, or a union that applies itself twice on every level of the value.
 */
export class StepBudget {
  readonly #most: number;
  #left: number;

  /** @param most `Infinity` where both the schema and the value come from the author */
  constructor(most = MAX_STEPS) {
    this.#most = most;
    this.#left = most;
  }

  restart(): void {
    this.#left = this.#most;
  }

  /** What is wrong is known then: a part of the steps finds more of it. */
  restartToExplain(): void {
    this.#left = this.#most === Number.POSITIVE_INFINITY ? this.#most : MAX_EXPLAINING_STEPS;
  }

  /** Errors count as well: generated code copies their list, and the list itself takes memory. */
  take(steps: number, errors = 0): void {
    this.#left -= steps + errors;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** The limit at which a check ended early. */
type ReachedLimit = 'steps' | 'depth';

/** Undefined for a failure that has nothing to do with limits. */
export function reachedLimit(failure: unknown): ReachedLimit | undefined {
  if (failure instanceof OutOfSteps) return 'steps';
  // By name: a stack overflow may bring the RangeError of another realm
  return failure instanceof Error && failure.name === 'RangeError' ? 'depth' : undefined;
}

/** The message for a value that could not be checked to the end. */
export function limitMessage(limit: ReachedLimit): string {
  return limit === 'steps' ? 'takes too many steps to be checked' : 'is nested too deep to be checked';
}

type Errors = readonly ErrorObject[];

/** Thrown through generated code, with the errors found so far. */
class EnoughErrors extends Error {
  readonly errors: Errors;

  constructor(errors: Errors) {
    super('enough errors');
    this.errors = errors;
  }
}

/** The errors that a check finds before it has found enough. */
export function firstErrors(check: () => Errors): Errors {
  try {
    return check();
  } catch (thrown) {
    if (thrown instanceof EnoughErrors) return thrown.errors;
    throw thrown;
  }
}

const STEP_KEYWORD = 'toolwrightSteps';

// Looking up names and comparing values is cheap compared to the call of a schema.
const ENTRIES_PER_STEP = 32;

/** The schema with the number of its own steps, those of the schemas in it left out. */
export function withSteps(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema);
  if (entries.length === 0) return schema;
  // An enum is looked up, however long it is
  const counted = entries.filter(([keyword]) => keyword !== 'enum');
  const size = counted.reduce((sum, [, value]) => sum + entriesOf(value), 0);
  return { ...schema, [STEP_KEYWORD]: 1 + Math.floor(size / ENTRIES_PER_STEP) };
}

/** The same for every schema in it, too. */
export function withAllSteps(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, withSteps);
}

function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const lists = Object.values(value).filter((inner): inner is readonly unknown[] => Array.isArray(inner));
  return lists.reduce((sum, list) => sum + list.length, Object.keys(value).length);
}

/**
 * Makes every schema that has a number of steps, and every reference, count its steps.
 * @param mostErrors the number of errors after which a check ends
 */
export function addSteps(ajv: AnyAjv, budget: StepBudget, mostErrors: number): void {
  const { codegen, reference } = loadAjv();
  // The list of errors in the functions that ajv generates
  const errors = new codegen.Name('vErrors');
  const countSchema = counter(budget, 1024, mostErrors);
  const countReference = counter(budget, 64, mostErrors);
  ajv.addKeyword({
    keyword: STEP_KEYWORD,
    schemaType: 'number',
    code: (cxt) => count(cxt, countSchema, errors),
  });
  // Not beside the reference but in it: in draft-07 nothing beside a reference counts.
  ajv.removeKeyword('$ref');
  ajv.addKeyword({
    ...reference,
    code: (cxt) => {
      count(cxt, countReference, errors);
      reference.code(cxt);
    },
  });
}

type Counter = (steps: number, errors: Errors | null) => void;

/** Counts steps; `errorsPerStep` errors that are copied or kept cost one step. */
function counter(budget: StepBudget, errorsPerStep: number, mostErrors: number): Counter {
  return (steps, errors) => {
    budget.take(steps, errors === null ? 0 : Math.floor(errors.length / errorsPerStep));
    if (errors !== null && errors.length >= mostErrors) throw new EnoughErrors(errors);
  };
}

// ajv passes a shared function only once; a new function for every schema would cost a variable each.
function count({ gen, schema }: KeywordCxt, ref: Counter, errors: Name): void {
  const take = gen.scopeValue('func', { ref });
  gen.code(_`${take}(${typeof schema === 'number' ? schema : 1}, ${errors})`);
}
