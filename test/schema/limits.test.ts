import { describe, expect, test } from '@jest/globals';
import { checkSchemaLimits } from '../../src/schema/limits.ts';
import { SchemaTooLargeError } from '../../src/schema/schema-errors.ts';

describe('the limits', () => {
  test('count what is shared as often as it is there', () => {
    let shared: object = { type: 'string' };
    for (let level = 0; level < 20; level += 1) shared = { anyOf: [shared, shared] };
    expect(() => checkSchemaLimits(shared)).toThrow(SchemaTooLargeError);
  });

  test('are a mebibyte, no byte more', () => {
    const overhead = JSON.stringify({ const: '' }).length;
    expect(() => checkSchemaLimits({ const: 'x'.repeat(1_048_576 - overhead) })).not.toThrow();
    expect(() => checkSchemaLimits({ const: 'x'.repeat(1_048_577 - overhead) })).toThrow(SchemaTooLargeError);
  });

  test('are 50 000 nodes, no node more', () => {
    const list = (length: number): object => ({ enum: Array.from({ length }, () => 0) });
    expect(() => checkSchemaLimits(list(49_998))).not.toThrow();
    expect(() => checkSchemaLimits(list(49_999))).toThrow(SchemaTooLargeError);
  });
});
