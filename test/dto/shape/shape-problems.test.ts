import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsInt,
  IsObject,
  IsString,
  MinLength,
  Validate,
  ValidateNested,
} from 'class-validator';
import { Field, Sensitive } from '../../../src/decorators/members.ts';
import { shapeProblems, shapeWarnings } from '../../../src/dto/shape/shape-problems.ts';
import { isDto } from '../../../src/dto/shape/validation-metadata.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import type { Problem } from '../../../src/errors/problem-list.ts';
import { LineProcess } from '../../support/line-process.ts';

class Item {
  @IsString() name!: string;
}

function problemsOf(type: Class): readonly (readonly [string, string])[] {
  return shapeProblems(type).map(({ code, where }) => [code, where]);
}

test('knows a DTO by its own or inherited validators', () => {
  class Plain {}
  class Child extends Item {}
  expect([isDto(Plain), isDto(Item), isDto(Child)]).toEqual([false, true, true]);
});

test('finds nothing in a sound DTO', () => {
  class Sound {
    @IsString() @Field('A title') title!: string;
    @Allow() @Field('Whatever') anything: unknown;
    @ValidateNested() item!: Item;
    @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  }
  expect(shapeProblems(Sound)).toEqual([]);
  expect(shapeWarnings(Sound)).toEqual([]);
});

test('reports nested properties whose class is not known', () => {
  interface Shape {
    readonly name: string;
  }
  class Nested {
    @IsArray() @ValidateNested({ each: true }) items!: Item[];
    @ValidateNested() shape!: Shape;
  }
  expect(problemsOf(Nested)).toEqual([
    ['TW_SHAPE_NESTED_TYPE', 'Nested.items'],
    ['TW_SHAPE_NESTED_TYPE', 'Nested.shape'],
  ]);
  expect(shapeProblems(Nested)[0]?.fix).toContain('@Type(() =>');
});

test('reports names that every object has', () => {
  class Reserved {
    @IsString() ok!: string;
  }
  IsString()(Reserved.prototype, 'valueOf');
  IsString()(Reserved.prototype, 'constructor');
  expect(problemsOf(Reserved)).toContainEqual(['TW_SHAPE_RESERVED_NAME', 'Reserved.valueOf']);
  expect(problemsOf(Reserved)).toContainEqual(['TW_SHAPE_RESERVED_NAME', 'Reserved.constructor']);
});

test('reports @Field without a validator, in nested classes, too', () => {
  class Inner {
    @IsInt() count!: number;
    @Field('Forgotten') note!: string;
  }
  class Outer {
    @ValidateNested() inner!: Inner;
  }
  expect(problemsOf(Outer)).toEqual([['TW_SHAPE_FIELD_WITHOUT_VALIDATOR', 'Inner.note']]);
});

test('reports a class without any validator', () => {
  class Plain {
    name!: string;
  }
  expect(problemsOf(Plain)).toEqual([['TW_SHAPE_UNDECORATED', 'Plain']]);
});

test('reports a class that needs constructor arguments', () => {
  class Demanding {
    @IsString() name: string;
    constructor(source: { name: string }) {
      this.name = source.name;
    }
  }
  expect(problemsOf(Demanding)).toEqual([['TW_SHAPE_CONSTRUCTOR', 'Demanding']]);
});

test('reports Maps and Sets that nothing makes from JSON', () => {
  class Collections {
    @IsObject() map!: Map<string, number>;
    @IsString({ each: true }) set!: Set<string>;
    @Type(() => String) @IsString({ each: true }) made!: Set<string>;
  }
  expect(problemsOf(Collections)).toEqual([
    ['TW_SHAPE_COLLECTION_TYPE', 'Collections.map'],
    ['TW_SHAPE_COLLECTION_TYPE', 'Collections.set'],
  ]);
});

test('reports validator classes that class-validator skips', () => {
  class Unregistered {
    validate(): boolean {
      return false;
    }
  }
  class Skipped {
    @Validate(Unregistered) value!: string;
  }
  expect(problemsOf(Skipped)).toEqual([['TW_SHAPE_VALIDATOR_UNREGISTERED', 'Skipped.value']]);
});

test('warns about inherited validators that are lost', () => {
  class Base {
    @IsString() title!: string;
  }
  class Child extends Base {}
  MinLength(5)(Child.prototype, 'title');
  expect(shapeWarnings(Child)).toMatchObject([{ code: 'TW_SHAPE_REDECLARED', where: 'Child.title' }]);
  expect(shapeWarnings(Child)[0]?.what).toContain('"isString"');
});

test('warns about each without @IsArray, and about nested values that are not validated', () => {
  class Loose {
    @IsString({ each: true }) tags!: string[];
    @IsObject() @Type(() => Item) item!: Item;
  }
  expect(shapeWarnings(Loose).map(({ code, where }) => [code, where])).toEqual([
    ['TW_SHAPE_EACH_WITHOUT_ARRAY', 'Loose.tags'],
    ['TW_SHAPE_NESTED_UNCHECKED', 'Loose.item'],
  ]);
});

test('reports sensitive properties that are sent as headers', () => {
  class Place {
    @IsString() @Field({ header: 'region' }) region!: string;
  }
  class Exposed {
    @IsString() @Sensitive() @Field({ header: 'tenant' }) tenant!: string;
    @ValidateNested() @Sensitive() @Type(() => Place) place!: Place;
    @ValidateNested() @Type(() => Place) other!: Place;
  }
  class Heir extends Exposed {}
  expect(problemsOf(Heir)).toEqual([
    ['TW_SHAPE_SENSITIVE_HEADER', 'Heir.tenant'],
    ['TW_SHAPE_SENSITIVE_HEADER', 'Heir.place'],
  ]);
});

test('reports sensitive properties without a validator', () => {
  class Unchecked {
    @IsString() name!: string;
    @Sensitive() password!: string;
  }
  expect(problemsOf(Unchecked)).toEqual([['TW_SHAPE_FIELD_WITHOUT_VALIDATOR', 'Unchecked.password']]);
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Inside the package, where its own name leads to what is built; nearer packages come first.
const project = `${root}.cache/two-copies/`;
const COPIED = ['class-transformer', 'class-validator'];

const PROGRAM = `
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsString, MinLength, ValidateNested } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

const decorate = (type, property, ...decorators) => decorators.forEach((each) => each(type.prototype, property));
class Item {}
decorate(Item, 'name', IsString(), MinLength(1));
class Order {}
decorate(Order, 'items', IsArray(), ValidateNested({ each: true }), Type(() => Item));
class Trimmed {}
decorate(Trimmed, 'text', IsString(), Transform(({ value }) => value.trim()));
class Renamed {}
decorate(Renamed, 'text', IsString(), Expose({ name: 'words' }));

const inputs = { Item, Order, Trimmed, Renamed };
class Tools { run(input) { return input; } }
ToolGroup('tools')(Tools);
Action({ input: inputs[process.argv.at(-1)] })(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run'));
class Root {}
Module({ controllers: [Tools] })(Root);
try {
  const app = await McpApplication.create(Root);
  const refused = await app.call('tools', { action: 'run', name: '' });
  const { isError } = await app.call('tools', { action: 'run', name: 'a' });
  console.log(JSON.stringify([refused.content[0].text, isError ?? false]));
} catch (error) {
  console.log(JSON.stringify(error.problems ?? error.stack));
}`;

describe('with two copies of the libraries', () => {
  beforeAll(async () => {
    await rm(project, { recursive: true, force: true });
    await mkdir(project, { recursive: true });
    for (const name of COPIED) {
      await cp(`${root}node_modules/${name}`, `${project}node_modules/${name}`, { recursive: true });
    }
    await writeFile(`${project}main.mjs`, PROGRAM);
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  async function runWith(input: string): Promise<unknown> {
    const started = new LineProcess({ args: ['main.mjs', input], cwd: project });
    if ((await started.ended) !== 0) throw new Error(started.output());
    return JSON.parse(started.stdout.join('\n'));
  }

  test.each(['Order', 'Trimmed', 'Renamed'])(
    'a DTO that another copy of class-transformer decorated is refused, and both copies are named: %s',
    async (input) => {
      const problems = (await runWith(input)) as readonly Problem[];
      expect(problems.map(({ code, where }) => [code, where])).toEqual([
        ['TW_SHAPE_TRANSFORMER_COPIES', input],
      ]);
      expect(problems[0]?.why).toContain(`${project}node_modules/class-transformer`);
      expect(problems[0]?.why).toContain(`${root}node_modules/class-transformer`);
      expect(problems[0]?.fix).toContain('npm ls class-transformer');
    },
  );

  test('a DTO that another copy of class-validator decorated is checked all the same', async () => {
    const [refused, isError] = (await runWith('Item')) as readonly [string, boolean];
    expect(refused).toContain('name must be longer than or equal to 1 characters');
    expect(isError).toBe(false);
  });
});
