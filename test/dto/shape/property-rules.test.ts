import { expect, test } from '@jest/globals';
import { readConditions } from '../../../src/dto/shape/property-rules.ts';
import type { ValidationRecord } from '../../../src/dto/shape/validation-metadata.ts';

/** As class-validator writes it: the name came with 0.14.2. */
function optionalRecord(propertyName: string, name: string | undefined): ValidationRecord {
  const condition = (object: Readonly<Record<string, unknown>>, _value: unknown): boolean => {
    return object[propertyName] !== null && object[propertyName] !== undefined;
  };
  const record = { type: 'conditionalValidation', target: Object, propertyName, constraints: [condition] };
  return { ...record, name };
}

test.each(['isOptional', undefined])('knows @IsOptional by the name %s', (name) => {
  const [condition] = readConditions([optionalRecord('email', name)]);
  expect(condition).toMatchObject({ kind: 'optional', dependsOnOthers: false });
  expect([undefined, null, 'a'].map((value) => condition?.test(value, {}))).toEqual([false, false, true]);
});

test('takes a condition of the author for what it is', () => {
  const record = {
    ...optionalRecord('email', undefined),
    constraints: [(order: { readonly isSent: boolean }) => order.isSent],
  };
  expect(readConditions([record])[0]).toMatchObject({ kind: 'validateIf', dependsOnOthers: true });
});
