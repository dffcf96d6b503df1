import { describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import type { Issue } from '../../../src/call/issue.ts';
import { createClassContract } from '../../../src/compile/contracts/create-contract.ts';
import { Sensitive } from '../../../src/decorators/members.ts';
import type { Redaction } from '../../../src/dto/check/redaction.ts';
import { redactText, redactValue } from '../../../src/errors/redact.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { strict } from '../../support/check-helpers.ts';

class Pinned {
  @IsString() @MaxLength(8, { message: '$value is too long' }) @Sensitive() pin!: string;
}
class Secret extends Pinned {
  @IsOptional() @IsString() @MaxLength(8) name?: string;
}
class Box {
  @IsOptional() @ValidateNested() @Type(() => Secret) one?: Secret;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Secret) list?: Secret[];
}
abstract class Method {
  @IsIn(['card', 'cash']) kind!: string;
}
class ByCard extends Method {
  @IsString() @MaxLength(8) @Sensitive() pin!: string;
}
class ByCash extends Method {
  @IsInt() amount!: number;
}
const METHODS = {
  keepDiscriminatorProperty: true,
  discriminator: {
    property: 'kind',
    subTypes: [
      { name: 'card', value: ByCard },
      { name: 'cash', value: ByCash },
    ],
  },
};

/** Each DTO has one field, `at`, that leads to a sensitive one. */
class Own {
  @IsOptional() @IsString() @MaxLength(8) @Sensitive() at?: string;
}
class OwnList {
  @IsOptional() @IsArray() @IsString({ each: true }) @MaxLength(8, { each: true }) @Sensitive() at?: string[];
}
class OwnObject {
  @IsOptional() @IsObject() @Sensitive() at?: object;
}
class Nested {
  @IsOptional() @ValidateNested() @Type(() => Secret) at?: Secret;
  @IsOptional() @IsString() text?: string;
}
class Listed {
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Secret) at?: Secret[];
  @IsOptional() @IsArray() @IsString({ each: true }) text?: string[];
}
class ListedOrOne {
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Secret) at?: Secret[];
}
class Deep {
  @IsOptional() @ValidateNested() @Type(() => Box) at?: Box;
}
class DeepList {
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Box) at?: Box[];
}
class Mapped {
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Secret) at?: Map<string, Secret>;
}
class Chosen {
  @IsOptional() @ValidateNested() @Type(() => Method, METHODS) at?: ByCard | ByCash;
}
class ChosenList {
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Method, METHODS) at?: (
    | ByCard
    | ByCash
  )[];
}
class Inherited extends Deep {}
class Ring extends Secret {
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Ring) at?: Ring[];
}
const SHAPES: readonly Class[] = [
  ...[Own, OwnList, OwnObject, Nested, Listed, ListedOrOne, Deep, DeepList, Mapped],
  ...[Chosen, ChosenList, Inherited, Ring],
];

type Put = (secret: unknown) => unknown;

/** What clients send in the place of what was meant. */
const KINDS: Readonly<Record<string, Put>> = {
  'the value itself': (secret) => secret,
  'an object': (secret) => ({ pin: secret }),
  'an object with its tag': (secret) => ({ kind: 'card', pin: secret }),
  'a list': (secret) => [{ pin: secret }],
  'a list of values': (secret) => [secret, null, 1],
  'lists in a list': (secret) => [[{ pin: secret }], [secret]],
  'a map': (secret) => ({ a: { pin: secret }, 'b.c': [secret] }),
  'an object for a list of one': (secret) => ({ list: { pin: secret, name: 7 }, one: [{ pin: secret }] }),
  'JSON as text': (secret) => JSON.stringify({ pin: secret }),
  'JSON as text, in a list': (secret) => [JSON.stringify([{ pin: secret }])],
  'too deep': (secret) => ({ pin: { pin: [{ value: secret }] } }),
  'in the wrong field': (secret) => ({ name: { pin: secret }, pin: null }),
  'under a misspelt name': (secret) => ({ pinn: secret, kind: 'card', amount: 1 }),
  'under a misspelt name of what holds it': (secret) => ({ ones: { pin: secret }, lists: [secret] }),
  'beside other fields': (secret) => [{ pin: secret, other: 1, name: null }, null, 'x'],
  'an unknown kind': (secret) => ({ kind: 'cheque', pin: secret }),
  'of another kind': (secret) => ({ kind: 'cash', pin: secret, amount: '1' }),
};

const PATHS = ['generated', 'closures', 'class-stack'] as const;
type Example = [secret: unknown, put: Put, outer: Put, path: (typeof PATHS)[number]];
const kind = fc.constantFrom(...Object.keys(KINDS)).map((name) => KINDS[name] as Put);
const marked = fc.stringMatching(/^[a-z0-9"$ ]{6,20}$/).map((rest) => `zq7${rest}`);
const numbered = fc.integer({ min: 0, max: 99_999_999 }).map((rest) => 77_700_000_000 + rest);

async function whatIsSaid(type: Class, input: object, path: (typeof PATHS)[number]): Promise<string> {
  const { check, redaction } = createClassContract(type, { ...strict, path });
  const outcome = await check(input as Record<string, unknown>);
  const { valuesIn, shown } = redaction as Redaction;
  const values = valuesIn(input);
  const error = redactValue(new Error(JSON.stringify(input), { cause: input }), values) as Error;
  const text = redactText(`it was ${JSON.stringify(input)}`, values);
  return JSON.stringify([
    outcome.ok ? [] : outcome.issues,
    shown(input as never),
    error.message,
    error.cause,
    text,
  ]);
}

describe.each(SHAPES.map((type) => [type.name, type] as const))('%s', (_name, type) => {
  test('no sensitive value is said, wherever in it a client sends one', async () => {
    const value: fc.Arbitrary<unknown> = fc.oneof(marked, numbered);
    await fc.assert(
      fc.asyncProperty(value, kind, kind, fc.constantFrom(...PATHS), async (secret, put, outer, path) => {
        for (const at of [
          put(secret),
          [put(secret)],
          { list: put(secret), one: put(secret) },
          outer(put(secret)),
        ]) {
          const said = await whatIsSaid(type, { at }, path);
          expect(said).not.toMatch(/zq7|777\d{8}/);
        }
      }),
      {
        numRuns: 40,
        examples: Object.values(KINDS).map((put): Example => ['zq7-1234567', put, put, 'generated']),
      },
    );
  });

  test('no value of one character is said', async () => {
    for (const put of Object.values(KINDS)) {
      const outcome = await createClassContract(type, strict).check({ at: put('~') });
      const issues: readonly Issue[] = outcome.ok ? [] : outcome.issues;
      expect(JSON.stringify(issues)).not.toContain('~');
    }
  });
});

test('what stands in the right place is shown, as long as it is not sensitive', async () => {
  const check = (type: Class, input: object) => createClassContract(type, strict).check(input as never);
  expect(await check(Listed, { at: { pin: 'x', name: 7 } })).toMatchObject({
    issues: expect.arrayContaining([expect.objectContaining({ path: 'at.name', received: 'number 7' })]),
  });
  expect(await check(Chosen, { at: { kind: 'cheque' } })).toMatchObject({
    issues: [expect.objectContaining({ path: 'at.kind', received: 'string "cheque"' })],
  });
  expect(await check(Nested, { text: 5 })).toMatchObject({
    issues: [expect.objectContaining({ path: 'text', received: 'number 5' })],
  });
});
