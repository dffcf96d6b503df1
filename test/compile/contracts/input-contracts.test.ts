import { describe, expect, jest, test } from '@jest/globals';
import { Transform, Type } from 'class-transformer';
import {
  IsInt,
  IsOptional,
  IsString,
  Min,
  MinLength,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import fc from 'fast-check';
import { compileInput } from '../../../src/compile/stages/attempt.ts';
import {
  ContractCache,
  createInputContracts,
  type InputContracts,
} from '../../../src/compile/contracts/input-contracts.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import type { UnknownFields } from '../../../src/metadata/options.ts';
import type { PlainObject } from '../../../src/shared/json.ts';
import type { SchemaSource } from '../../../src/shared/schema-source.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { tries } from '../../support/thorough.ts';

class Author {
  @IsString() name!: string;
}

class FindBook {
  @IsString() @MinLength(2) title!: string;
  @ValidateIf((dto: FindBook) => dto.title !== 'any') @IsInt() @Min(1) copies!: number;
  @IsOptional() @Transform(({ value }) => (value === 'ab' ? 'AB' : (value as unknown))) shelf?: unknown;
  @IsOptional() @ValidateNested() @Type(() => Author) author?: Author;
  @IsOptional() @IsString() mode = 'all';
}

@ValidatorConstraint({ async: true })
class IsFree {
  validate(value: unknown): Promise<boolean> {
    return Promise.resolve(value !== 'ab');
  }
}

class FindSlowly {
  @Validate(IsFree) title!: string;
  @IsOptional() @IsInt() copies?: number;
}

const NOTHING: SchemaSource = { type: 'object', properties: {}, additionalProperties: false };

function contractsOf(
  input: SchemaSource,
  unknownFields: UnknownFields,
  common: readonly SchemaSource[] = [],
): InputContracts {
  const problems = new ProblemList();
  const contracts = createInputContracts(
    { input, unknownFields, where: 'books.find' },
    common,
    new ContractCache(problems),
  );
  problems.throwFirst();
  return contracts;
}

const name = fc.constantFrom(
  ...['title', 'copies', 'shelf', 'author', 'mode'],
  ...['tilte', 'action', '__proto__', 'constructor', 'toString', 'then', ''],
);
const value = fc.oneof(
  fc.constantFrom('any', 'ab', 'a', '', 0, 1, 2.5, true, null, undefined),
  fc.constantFrom({}, [], { name: 'Ada' }, { name: 7 }, { name: 'Ada', age: 1 }, [{ name: 'Ada' }]),
);
const valid = fc.record(
  {
    title: fc.constantFrom('any', 'abc'),
    copies: fc.constantFrom(1, 2),
    author: fc.constant({ name: 'Ada' }),
  },
  { requiredKeys: ['title', 'copies'] },
);

class Arguments {
  get title(): string {
    return 'from a getter';
  }
}

/** As those of another realm are, but with something to inherit. */
const FOREIGN = Object.assign(Object.create(null) as object, { title: 'inherited', shelf: 'ab' });

/** As JSON and as programs give them: with own members of any name, and of any prototype. */
const given: fc.Arbitrary<PlainObject> = fc
  .tuple(
    fc.oneof(valid, fc.constant({})),
    fc.dictionary(name, value, { maxKeys: 5 }),
    fc.constantFrom(
      () => ({}),
      () => Object.create(null) as object,
      () => Object.create(FOREIGN) as object,
      () => new Arguments(),
    ),
  )
  .map(([base, further, create]) => {
    const args = create();
    for (const [key, member] of [...Object.entries(base), ...Object.entries(further)]) {
      const options = { value: member, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(args, key, options);
    }
    return args;
  });

describe.each<[string, new () => object]>([
  ['at once', FindBook],
  ['with a promise', FindSlowly],
])('the arguments of a DTO alone, checked %s', (_, dto) => {
  test('are checked as those beside a common schema without fields, which are taken apart', async () => {
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.constantFrom<UnknownFields>('strict', 'strip'),
        fc.constantFrom(undefined, 'action', 'mode', 'title'),
        async (args, unknownFields, discriminator) => {
          const [alone, beside] = [[], [NOTHING]].map((common) =>
            compileInput(contractsOf(dto, unknownFields, common), { discriminator, unknownFields })(args),
          );
          expect(alone instanceof Promise).toBe(beside instanceof Promise);
          const expected = await alone;
          const common = [{}];
          expect(await beside).toStrictEqual(
            expected?.ok === true ? { ...expected, value: { ...expected.value, common } } : expected,
          );
        },
      ),
      { numRuns: tries(50, 300) },
    );
  });
});

describe('of a DTO alone', () => {
  const resolve = (args: unknown, unknownFields: UnknownFields = 'strict', discriminator?: string) =>
    compileInput(contractsOf(FindBook, unknownFields), { discriminator, unknownFields })(args as PlainObject);
  const BOOK = { title: 'Emma', copies: 1 };

  test('the input is an instance, and there is nothing common', () => {
    const input = Object.assign(new FindBook(), BOOK);
    expect(resolve(BOOK)).toStrictEqual({ ok: true, value: { input, common: [] }, failure: undefined });
    expect(BOOK).toEqual({ title: 'Emma', copies: 1 });
  });

  test('unknown fields are reported with the nearest name, behind what is wrong with the others', () => {
    const outcome = resolve({ tilte: 'Emma', copies: 0 });
    expect(outcome).toMatchObject({
      issues: [{ path: 'title' }, { path: 'copies' }, { path: 'tilte', suggestion: 'title' }],
    });
  });

  test.each(['__proto__', 'constructor', 'toString'])('an unknown field may be named %s', (unknown) => {
    const args: unknown = JSON.parse(`{"title":"Emma","copies":1,"${unknown}":{"shelf":"a"}}`);
    expect(resolve(args)).toMatchObject({ issues: [{ path: unknown, message: 'unknown field' }] });
    const input = Object.assign(new FindBook(), BOOK);
    expect(resolve(args, 'strip')).toStrictEqual({
      ok: true,
      value: { input, common: [] },
      failure: undefined,
    });
  });

  test('the discriminator is not a field, unless the DTO declares it', () => {
    const input = Object.assign(new FindBook(), BOOK);
    const args = { ...BOOK, action: 'find' };
    expect(resolve(args, 'strict', 'action')).toStrictEqual({
      ok: true,
      value: { input, common: [] },
      failure: undefined,
    });
    expect(resolve(args)).toMatchObject({ issues: [{ path: 'action' }] });
    const declared = resolve({ ...BOOK, mode: 'find' }, 'strict', 'mode');
    expect(declared).toMatchObject({ value: { input: { mode: 'find' } } });
  });

  test('what is inherited is not an argument', () => {
    class Book {
      get title(): string {
        return 'Emma';
      }
    }
    expect(resolve(Object.assign(new Book(), { copies: 1 }))).toMatchObject({ issues: [{ path: 'title' }] });
  });
});

describe('what a contract is asked to check', () => {
  const judged = (args: PlainObject, source: SchemaSource = FindBook): unknown => {
    const { own, owners } = contractsOf(source, 'strip');
    if (own === undefined) throw new Error('no input');
    const check = jest.fn(own.check);
    const listening = { ...own, check };
    const listened = new Map([...owners.keys()].map((key) => [key, listening]));
    void compileInput(
      { common: [], own: listening, owners: listened },
      { discriminator: undefined, unknownFields: 'strip' },
    )(args);
    expect(check).toHaveBeenCalledTimes(1);
    return check.mock.calls[0]?.[0];
  };

  test('is a copy of the arguments where each is one of its fields', () => {
    const args = { title: 'Emma', copies: 1 };
    expect(judged(args)).toEqual(args);
    expect(judged(args)).not.toBe(args);
  });

  test.each<[string, PlainObject]>([
    ['there is something beside', { title: 'Emma', tilte: 1 }],
    ['they are of a class', Object.assign(new Arguments(), { copies: 1 }) as unknown as PlainObject],
  ])('is a part of them where %s', (_, args) => {
    const part = judged(args) as object;
    expect(part).not.toBe(args);
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
    expect(Object.keys(part)).not.toContain('tilte');
  });

  test('has no other prototype where a further name is __proto__', () => {
    const loose: SchemaSource = { type: 'object', properties: { title: {} }, additionalProperties: true };
    const args = JSON.parse('{"title":"Emma","other":1,"__proto__":{"copies":1}}') as PlainObject;
    const part = judged(args, loose);
    expect(part).toEqual({ title: 'Emma', other: 1 });
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
  });
});

describe('the problems of a DTO alone', () => {
  class Many {
    @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
  }
  const issuesOf = (authors: readonly object[]) => {
    const options = { discriminator: undefined, unknownFields: 'strict' } as const;
    const outcome = compileInput(contractsOf(Many, 'strict'), options)({ authors });
    if (outcome instanceof Promise || outcome.ok) throw new Error('it has problems');
    return outcome.issues;
  };

  test('are no more than fifty', () => {
    const issues = issuesOf(
      Array.from({ length: 60 }, (_, index) => ({ name: 'a', [`f${String(index)}`]: 1 })),
    );
    expect(issues).toHaveLength(51);
    expect(issues.at(-1)?.message).toBe('and 10 more problems of this kind');
  });

  test('are reported once where they are equal', () => {
    const [issue, ...others] = issuesOf(Array.from({ length: 60 }, () => ({ name: 7 })));
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ path: 'authors.0.name', received: 'number 7' });
    expect(issue?.also).toHaveLength(21);
    expect(issue?.also?.at(-1)).toBe('… and 39 more');
  });
});

test('a source that cannot become a contract is reported for each place that asks for it', () => {
  const problems = new ProblemList();
  const contracts = new ContractCache(problems);
  const broken: JsonSchema = { type: 'string' };
  const ofPlace = (where: string) => contracts.input(broken, { unknownFields: 'strict', where });
  expect([ofPlace('tool "one"').names, ofPlace('tool "two"').names]).toEqual([[], []]);
  expect(problems.problems.map(({ where }) => where)).toEqual([
    expect.stringContaining('"one"'),
    expect.stringContaining('"two"'),
  ]);
});

test('a source that has become a contract is made once', () => {
  const contracts = new ContractCache(new ProblemList());
  const source: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const ofPlace = (where: string) => contracts.input(source, { unknownFields: 'strict', where });
  expect(ofPlace('one')).toBe(ofPlace('two'));
});

test('a class that the scanner found sound is not looked at again', () => {
  class Bare {}
  const problems = new ProblemList();
  const options = { unknownFields: 'strict', where: 'a test' } as const;
  new ContractCache(problems, { isScanned: true }).input(Bare, options);
  expect(problems.problems).toEqual([]);
  new ContractCache(problems).input(Bare, options);
  expect(problems.problems).toMatchObject([{ code: 'TW_SHAPE_UNDECORATED' }]);
});
