import { expect, test } from '@jest/globals';
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
