import { describe, expect, test } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInt,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsString,
  Min,
  MinLength,
  NotEquals,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Field } from '../../../src/decorators/members.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import type { PropertyShape } from '../../../src/dto/shape/shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';

function property(type: Class, name: string): PropertyShape {
  const found = readShape(type).properties.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no property ${name}`);
  return found;
}

enum Level {
  low,
  high = 5,
}

class Item {
  @IsString() name!: string;
}

class Base {
  @IsString() @Field('Who') owner!: string;
  @IsInt() count!: number;
}

class Everything extends Base {
  @IsEnum(Level) level!: Level;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  @ValidateNested() single!: Item;
  @IsArray() @IsArray({ each: true }) @ValidateNested({ each: true }) @Type(() => Item) rows!: Item[][];
  @Type(() => Number) @IsNumber({}, { each: true }) scores!: Map<string, number>;
  @IsDate() due!: Date;
  @Transform(({ value }) => Number(value)) @IsInt() converted!: number;
}

test('reads properties with those of the base class first', () => {
  expect(
    readShape(Everything)
      .properties.map(({ name }) => name)
      .slice(0, 3),
  ).toEqual(['owner', 'count', 'level']);
});

test('reads the values of a numeric enum without its reverse mapping', () => {
  expect(property(Everything, 'level').shape).toEqual({ kind: 'enum', values: [0, 5] });
});

test('reads nested classes from @Type, and a single one from the emitted type', () => {
  expect(property(Everything, 'items').shape).toMatchObject({
    kind: 'array',
    items: { kind: 'object', id: Item },
  });
  expect(property(Everything, 'single').shape).toMatchObject({ kind: 'object', id: Item });
  expect(property(Everything, 'single').derivedType).toBe(Item);
});

test('reads arrays in arrays with the type of the inner items', () => {
  expect(property(Everything, 'rows').shape).toMatchObject({
    kind: 'array',
    items: { kind: 'array', items: { kind: 'object', id: Item } },
  });
});

test('reads a Map as an object with free names', () => {
  expect(property(Everything, 'scores').shape).toEqual({
    kind: 'map',
    values: { kind: 'scalar', type: 'number' },
  });
});

test('converts dates although no @Type says so, as JSON has none', () => {
  expect(property(Everything, 'due').shape).toEqual({ kind: 'scalar', type: 'date' });
  expect(property(Everything, 'due').derivedType).toBe(Date);
});

test('says that the input of a transformed property is not known', () => {
  const { shape, lossy } = property(Everything, 'converted');
  expect(shape).toMatchObject({ kind: 'opaque', reason: '@Transform', result: { type: 'integer' } });
  expect(lossy).toEqual([{ reason: 'is converted before it is checked' }]);
});

test('reads a recursive class as a reference', () => {
  class Node {
    @IsArray() @ValidateNested({ each: true }) @Type(() => Node) children!: Node[];
  }
  expect(property(Node, 'children').shape).toEqual({ kind: 'array', items: { kind: 'ref', id: Node } });
});

test('gives a frozen shape and leaves the arguments of the validators alone', () => {
  const allowed = ['a'];
  class Frozen {
    @IsIn(allowed) value!: string;
  }
  const shape = readShape(Frozen);
  expect(
    Object.isFrozen(shape) && Object.isFrozen(shape.properties) && Object.isFrozen(shape.properties[0]),
  ).toBe(true);
  expect(Object.isFrozen(allowed)).toBe(false);
});

describe('required', () => {
  class Lenient {
    @NotEquals('a') notEquals: unknown;
    @IsNotIn(['a']) notIn: unknown;
    @IsEmpty() empty: unknown;
    @Allow() allowed: unknown;
    @ValidateNested() nested!: Item;
    @IsOptional() @IsString() optional?: string;
    @IsInt() withDefault = 3;
    @IsString() @MinLength(1) refusedDefault = '';
    @IsString() @ValidateIf((_, value) => value !== null) nullable!: string | null;
    @IsString() @ValidateIf((dto: Lenient) => dto.withDefault === 4) conditional!: string;
    @IsString() plain!: string;
  }

  test('is what is refused when it is left out', () => {
    const required = readShape(Lenient).properties.filter((one) => one.required);
    expect(required.map(({ name }) => name)).toEqual(['refusedDefault', 'nullable', 'plain']);
  });

  test('says nothing of a property whose condition looks at others', () => {
    expect(property(Lenient, 'conditional').lossy).toHaveLength(1);
    expect(property(Lenient, 'nullable').lossy).toEqual([]);
  });

  test('goes with null where a condition of the author lets null through', () => {
    expect(property(Lenient, 'nullable').nullable).toBe(true);
    expect(property(Lenient, 'optional').nullable).toBe(false);
    expect(property(Lenient, 'plain').nullable).toBe(false);
  });

  test('says where null can only mean that the property was left out', () => {
    const absent = readShape(Lenient).properties.filter((one) => one.nullIsAbsent);
    expect(absent.map(({ name }) => name)).toEqual(['nested', 'optional', 'withDefault', 'conditional']);
  });

  test('leaves null to what handlers give out', () => {
    const [optional] = readShape(Lenient, undefined, 'output').properties.filter(
      ({ name }) => name === 'optional',
    );
    expect(optional).toMatchObject({ nullable: true, nullIsAbsent: false });
  });

  test('does not publish a default that the validators refuse', () => {
    expect(property(Lenient, 'refusedDefault').doc.default).toBeUndefined();
    expect(property(Lenient, 'withDefault').doc.default).toBe(3);
  });
});

describe('defaults', () => {
  class Defaults {
    @IsNumber() random = Math.random();
    @IsNumber() now = Date.now();
    @IsDate() created = new Date();
    @IsArray() list = [1];
    @IsOptional() @IsInt() @Field({ default: 7 }) declared?: number;
    @IsInt() @Field({ default: 7 }) both = 3;
    @IsBoolean() @Field('Off unless set') flag = false;
  }

  test('that differ from time to time are not published', () => {
    for (const name of ['random', 'now', 'created'])
      expect(property(Defaults, name).doc.default).toBeUndefined();
    expect(property(Defaults, 'random').required).toBe(false);
  });

  test('come from the initialiser, and from @Field before it', () => {
    expect(property(Defaults, 'list').doc.default).toEqual([1]);
    expect(property(Defaults, 'declared').doc).toMatchObject({ default: 7, isDefaultDeclared: true });
    expect(property(Defaults, 'both').doc.default).toBe(7);
    expect(property(Defaults, 'flag').doc).toMatchObject({ description: 'Off unless set', default: false });
  });

  test('of a class that cannot be constructed are none', () => {
    class Demanding {
      @IsString() name: string;
      constructor(source: { name: string }) {
        this.name = source.name;
      }
    }
    expect(property(Demanding, 'name')).toMatchObject({ required: true, doc: { isDefaultDeclared: false } });
  });
});

test('inherits what @Field says, option by option', () => {
  class Child extends Base {}
  Field({ title: 'Owner' })(Child.prototype, 'owner');
  expect(property(Child, 'owner').doc).toMatchObject({ title: 'Owner', description: 'Who' });
});

test('uses the exposed name and leaves excluded properties out', () => {
  class Renamed {
    @Expose({ name: 'full_name' }) @IsString() fullName!: string;
    @Exclude() @IsOptional() @IsString() secret?: string;
  }
  expect(readShape(Renamed).properties.map(({ name, property: own }) => [name, own])).toEqual([
    ['full_name', 'fullName'],
  ]);
});

test('drops inherited validators of a property that the child validates again', () => {
  class Child extends Base {}
  Min(3)(Child.prototype, 'count');
  expect(property(Child, 'count').constraints.map(({ name }) => name)).toEqual(['min']);
});
