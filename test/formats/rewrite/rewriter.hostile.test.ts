import { describe, expect, test } from '@jest/globals';
import { ConversionError } from 'toolwright/formats';
import { write, type Json } from '../convert.ts';
import { COLUMNS } from '../decided-matrix.ts';

const COUNT = 4000;
const definitions = (make: (next: Json) => Json): Json =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [
      `D${index}`,
      index === COUNT - 1 ? { type: 'object' } : make({ $ref: `#/$defs/D${index + 1}` }),
    ]),
  );
const chain = (
  make: (next: Json) => Json,
  root: Json = { type: 'object', properties: { a: { $ref: '#/$defs/D0' } } },
): Json => ({
  ...root,
  $defs: definitions(make),
});

/** Small on the wire, and made to grow, or to be followed forever. */
const HOSTILE: Readonly<Record<string, Json>> = {
  'a chain of objects': chain((next) => ({ type: 'object', properties: { n: next } })),
  'a chain of references': chain((next) => next),
  'a chain of references with titles': chain((next) => ({ ...next, title: 'T' })),
  'a chain of alternatives': chain((next) => ({ anyOf: [next] }), { $ref: '#/$defs/D0' }),
  'a tree that doubles': chain((next) => ({ type: 'object', properties: { a: next, b: next } })),
  'alternatives that multiply': {
    type: 'object',
    properties: {
      value: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`p${index}`, {}])),
        anyOf: Array.from({ length: COUNT }, (_, index) => ({ required: [`p${index}`] })),
      },
    },
  },
  'references in a circle': {
    $ref: '#/$defs/A',
    $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
  },
};

describe.each(Object.entries(HOSTILE))('%s', (_name, schema) => {
  test.each(COLUMNS)('ends for %s with a schema or a ConversionError', (column) => {
    try {
      expect(write(column, schema).names.toToolId('probe')).toBe('probe');
    } catch (error) {
      expect(error).toBeInstanceOf(ConversionError);
      expect(['SCHEMA_TOO_LARGE', 'RECURSIVE_SCHEMA']).toContain((error as ConversionError).code);
    }
  });
});
