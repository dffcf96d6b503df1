import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import { issues } from '../../support/check-helpers.ts';

class Part {
  @IsInt() id!: number;
}
class Dto {
  @IsOptional() @IsArray() @IsString({ each: true }) texts?: string[];
  @IsOptional() @IsObject() free?: object;
  @IsOptional() @ValidateNested() @Type(() => Part) part?: Part;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Part) parts?: Part[];
  @IsOptional() @IsInt() count?: number;
}
const zodPart = z.object({ id: z.int() });
const Zod = z.object({
  texts: z.array(z.string()).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
  part: z.union([zodPart, z.null()]).optional(),
  parts: z.array(zodPart).optional(),
  count: z.int().optional(),
});
const part = { type: 'object', properties: { id: { type: 'integer' } } };
const Raw: JsonSchema = {
  type: 'object',
  properties: {
    texts: { type: 'array', items: { type: 'string' } },
    free: { type: 'object' },
    part: { $ref: '#/$defs/part' },
    parts: { type: ['array', 'null'], items: { $ref: '#/$defs/part' } },
    count: { type: 'integer' },
  },
  $defs: { part },
};

describe.each<[string, SchemaSource]>([
  ['a DTO', Dto],
  ['a schema of zod', Zod],
  ['JSON Schema', Raw],
])('%s', (_kind, source) => {
  test.each<[string, string]>([
    ['texts', '["a", "b"]'],
    ['free', ' {"a": 1}\n'],
    ['part', '{"id": 1}'],
    ['parts', '[{"id": 1}]'],
  ])('says of JSON that arrives as text how to send it: %s', (name, text) => {
    const found = issues(source, { [name]: text });
    expect(found.map(({ path }) => path)).toEqual([name]);
    expect(found[0]?.expected).toMatch(/ \(send it as JSON, not as text\)$/);
  });

  test.each<[string, unknown]>([
    ['texts', 'a, b'],
    ['texts', '{"a": 1}'],
    ['part', '[{"id": 1}]'],
    ['count', '[1]'],
    ['count', '{}'],
    ['free', 5],
  ])('does not say so of another text or value: %s', (name, value) => {
    const said = JSON.stringify(issues(source, { [name]: value }));
    expect(said).toContain(`"path":"${name}"`);
    expect(said).not.toContain('as JSON');
  });
});
