import type { CheckOutcome, Issue } from '../../src/call/issue.ts';
import { createContract } from '../../src/compile/contracts/create-contract.ts';
import type { SchemaSource } from '../../src/shared/schema-source.ts';

export const strict = { unknownFields: 'strict', where: 'books.find' } as const;

/** The answer of a contract that needs no promise. */
export function check(
  source: SchemaSource,
  value: unknown,
  unknownFields: 'strict' | 'strip' = 'strict',
): CheckOutcome<object> {
  const outcome = createContract(source, { ...strict, unknownFields }).check(
    value as Record<string, unknown>,
  );
  if (outcome instanceof Promise) throw new Error('a promise');
  return outcome;
}

export function issues(
  source: SchemaSource,
  value: unknown,
  unknownFields: 'strict' | 'strip' = 'strict',
): readonly Issue[] {
  const outcome = check(source, value, unknownFields);
  return outcome.ok ? [] : outcome.issues;
}

export function valueOf(outcome: CheckOutcome<object>): object {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.value;
}
