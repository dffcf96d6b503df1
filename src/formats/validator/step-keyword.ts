import { _, Name, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import ajvRef from 'ajv/dist/vocabularies/core/ref.js';
import type { AnyAjv } from '../../schema/any-ajv.ts';
import type { Meter } from '../../schema/meter.ts';

/** The keyword that counts; its value is the number of steps that the schema around it takes. */
export const STEP_KEYWORD = 'toolwrightSteps';

// The list of errors in the functions that ajv generates.
const ERRORS = new Name('vErrors');

// Names to look for and values to compare with are cheap beside the call of a schema.
const ENTRIES_PER_STEP = 32;

/** The steps of a schema without those of the schemas in it. */
export function stepsOf(schema: object): number {
  const entries = Object.entries(schema).reduce(
    // An enum is looked up, however long it is
    (sum, [keyword, value]) => (keyword === 'enum' ? sum : sum + entriesOf(value)),
    0,
  );
  return 1 + Math.floor(entries / ENTRIES_PER_STEP);
}

function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const lists = Object.values(value).filter((inner): inner is readonly unknown[] => Array.isArray(inner));
  return lists.reduce((sum, list) => sum + list.length, Object.keys(value).length);
}

/** Makes every schema and every reference count its steps. */
export function addSteps(ajv: AnyAjv, meter: Meter): void {
  const countSchema = counter(meter, 1024);
  const countReference = counter(meter, 64);
  ajv.addKeyword({ keyword: STEP_KEYWORD, schemaType: 'number', code: (cxt) => count(cxt, countSchema) });
  // Not beside the reference but in it: in draft-07 nothing beside a reference counts.
  ajv.removeKeyword('$ref');
  ajv.addKeyword({
    ...reference,
    code: (cxt) => {
      count(cxt, countReference);
      reference.code(cxt);
    },
  });
}

const reference: CodeKeywordDefinition = ajvRef.default;

type Counter = (steps: number, errors: readonly unknown[] | null) => void;

/** Errors count by the number of those that are copied, or kept, at the price of one step. */
function counter(meter: Meter, errorsPerStep: number): Counter {
  return (steps, errors) => meter.take(steps, Math.floor((errors?.length ?? 0) / errorsPerStep));
}

// ajv passes one and the same function on once, and a new one for every schema costs a variable each.
function count({ gen, schema }: KeywordCxt, ref: Counter): void {
  const take = gen.scopeValue('func', { ref });
  gen.code(_`${take}(${typeof schema === 'number' ? schema : 1}, ${ERRORS})`);
}
