import { describe, expect, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import { Allow, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { Sensitive } from '../../../src/decorators/members.ts';
import { withoutCause } from '../../../src/dto/check/find-throwing.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import { strict } from '../../support/check-helpers.ts';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import type { Issue } from '../../../src/call/issue.ts';

async function issues(source: SchemaSource, value: object): Promise<readonly Issue[]> {
  const outcome = await createContract(source, strict).check(value as never);
  return outcome.ok ? [] : outcome.issues;
}

const parsed = z.string().transform((text) => JSON.parse(text) as unknown);
const Zod = z.object({
  name: z.string(),
  filter: parsed.optional(),
  list: z.array(z.object({ id: z.string(), big: z.string().transform((text) => BigInt(text)) })).optional(),
  whole: z
    .object({ a: z.string(), b: z.string() })
    .transform(() => {
      throw new Error('a secret of the server');
    })
    .optional(),
});

class Part {
  @IsString() id!: string;
  @Transform(({ value }) => BigInt(value as string)) @Allow() big!: bigint;
}
class Dto {
  @IsString() name!: string;
  @IsOptional() @Transform(({ value }) => JSON.parse(value as string) as unknown) @Allow() filter?: unknown;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Part) list?: Part[];
  @IsOptional()
  @Transform(({ value }) => {
    if (value !== undefined) throw new Error('a secret of the server');
  })
  @Allow()
  whole?: unknown;
}

const parts = (...bigs: readonly string[]) => bigs.map((big, index) => ({ id: String(index), big }));

describe.each<[string, SchemaSource]>([
  ['zod', Zod],
  ['a DTO', Dto],
])('a conversion of %s that throws', (_kind, source) => {
  test('is reported at its field, with what the language says', async () => {
    const [issue, ...others] = await issues(source, { name: 'n', filter: '{oops' });
    expect(others).toEqual([]);
    expect(issue?.path).toBe('filter');
    expect(issue?.message).toMatch(/^could not be converted or checked \(SyntaxError\): .*JSON/);
    expect(issue?.received).toBe('string "{oops"');
  });

  test('is reported at the item of a list', async () => {
    const list = parts(...Array.from({ length: 100 }, (_, index) => (index === 70 ? 'x' : '1')));
    expect((await issues(source, { name: 'n', list })).map(({ path }) => path)).toEqual(['list.70.big']);
  });

  test('does not repeat what an error of the author says', async () => {
    const [issue] = await issues(source, { name: 'n', whole: { a: 'x', b: 'y' } });
    expect(issue).toMatchObject({ path: 'whole', message: 'could not be converted or checked (Error)' });
  });
});

test('a rule of a whole input has no field', async () => {
  const source = z.object({ a: z.string(), b: z.string() }).refine(() => {
    throw new TypeError('no');
  });
  expect(await issues(source, { a: '1', b: '2' })).toEqual([
    { path: '', message: 'could not be converted or checked (TypeError)' },
  ]);
});

test('beside sensitive fields, nothing is said of the error: it may quote them', async () => {
  class Login {
    @IsString() @Sensitive() pin!: string;
    @Transform(({ obj }) => JSON.parse(`{${(obj as Login).pin}`) as unknown) @Allow() other?: unknown;
  }
  const found = await issues(Login, { pin: 'zq7-zq7-zq7-zq7-zq7', other: 'x' });
  expect(found[0]?.message).toBe('could not be converted or checked (SyntaxError)');
  expect(JSON.stringify(found)).not.toContain('zq7');
  expect(withoutCause('must be a string')).toBe('must be a string');
});
