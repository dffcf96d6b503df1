import 'reflect-metadata';
import type { ValidationCriteria } from '../src/workflow/domain/validation/output-validator.ts';
import { ValidationEngine } from '../src/workflow/domain/validation/validation-engine.ts';
import { sampleOrder } from './order/sample-order.ts';

// The time to check 10 KB by 20 rules, one of them a schema; run it on a machine that does nothing else.

const ROUNDS = 2000;
const GOAL = 1;

const output = JSON.stringify(Array.from({ length: 60 }, sampleOrder))
  .slice(1, -1)
  .padEnd(10_238);
const json = `[${output}]`;

const item = {
  type: 'object',
  required: ['sku', 'quantity', 'price'],
  properties: {
    sku: { type: 'string', pattern: '^sku-\\d+$' },
    quantity: { type: 'integer', minimum: 1 },
    price: { type: 'number', minimum: 0 },
  },
};
const schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'items'],
    properties: { id: { type: 'integer' }, items: { type: 'array', items: item } },
  },
};

function criteria(): ValidationCriteria {
  const words = ['Ada', 'open', 'ring', 'twice', 'sku-1', 'sku-2', 'quantity'];
  const patterns = ['"id":\\d+', '\\bprice\\b', '(open|paid|sent)', '^\\[', 'sku-[0-9]{1,3}', 'LOVELACE'];
  return [
    { type: 'schema', schema, message: '' },
    { type: 'length', min: 1000, max: 100_000, message: '' },
    ...words.map((value) => ({ type: 'contains' as const, value, message: '' })),
    ...patterns.map((pattern) => ({ type: 'regex' as const, pattern, flags: 'i', message: '' })),
    { not: { type: 'contains', value: 'TODO', message: '' } },
    { not: { type: 'regex', pattern: 'lorem\\s+ipsum', flags: 'i', message: '' } },
    { or: [{ type: 'contains', value: 'nowhere', message: '' }, 'twice'] },
    { type: 'contains', value: 'x', message: '', condition: { var: 'strict' } },
  ];
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

async function medianOf(rules: ValidationCriteria): Promise<number> {
  const engine = new ValidationEngine();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { valid, issues } = await engine.validate(json, rules);
    times.push(performance.now() - start);
    if (!valid) throw new Error(issues.join('; '));
  }
  return times.sort((left, right) => left - right)[ROUNDS / 2] ?? Number.NaN;
}

console.log(`${json.length} characters, 20 rules, median of ${ROUNDS}; goal below ${GOAL.toFixed(2)} ms`);
console.log(
  `  frozen criteria, as of a loaded workflow ${(await medianOf(frozen(criteria()))).toFixed(3)} ms`,
);
console.log(`  criteria that may have changed           ${(await medianOf(criteria())).toFixed(3)} ms`);
