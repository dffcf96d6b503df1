import { afterEach, expect, jest, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  getMetadataStorage,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  MinLength,
  ValidateNested,
  ValidateIf,
} from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { shapeProblems } from '../../../src/dto/shape/shape-problems.ts';
import { createValidationReader, validatedProperties } from '../../../src/dto/shape/validation-metadata.ts';
import type { Class } from '../../../src/shared/class-type.ts';

class Place {
  @IsString() street!: string;
  @IsString() city!: string;
}

class Root {
  @IsString() @IsOptional() name!: string;
}

class Base extends Root {
  @ValidateIf(() => true) @IsInt() count!: number;
}

class Plain extends Base {}

class Order extends Plain {
  @MinLength(2) declare name: string;
  @IsOptional() declare count: number;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Place) stops?: Place[];
  @ValidateNested() from!: Place;
  @ValidateNested() to!: Place;
}

afterEach(() => {
  jest.restoreAllMocks();
});

test('no pass makes class-validator walk all classes it knows', () => {
  const walk = jest.spyOn(getMetadataStorage(), 'getTargetValidationMetadatas');
  shapeProblems(Order);
  readShape(Order);
  createContract(Order, { unknownFields: 'strict', where: 'a test' });
  expect(walk).not.toHaveBeenCalled();
});

test.each<[Class]>([[Root], [Base], [Plain], [Order], [Place], [class Unknown {}]])(
  'finds the records of %p that class-validator finds',
  (type) => {
    const found = createValidationReader().recordsOf(type);
    const expected = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found).toHaveLength(expected.length);
  },
);

test('asks class-validator where its storage is another one', () => {
  const storage = getMetadataStorage();
  const ask = jest.spyOn(storage, 'getTargetValidationMetadatas');
  const byClass: unknown = Reflect.get(storage, 'validationMetadatas');
  Reflect.set(storage, 'validationMetadatas', undefined);
  ask.mockReturnValue([{ type: 'customValidation', propertyName: 'a', target: Place }] as never);
  try {
    expect(validatedProperties(Place)).toEqual(['a']);
  } finally {
    Reflect.set(storage, 'validationMetadatas', byClass);
  }
});

test('a new pass sees decorators that came later', () => {
  class Late {
    @IsString() first!: string;
    second!: string;
  }
  expect(validatedProperties(Late)).toEqual(['first']);
  IsString()(Late.prototype, 'second');
  expect(validatedProperties(Late)).toEqual(['first', 'second']);
});

test('a validator of a derived class replaces the inherited ones of that property', () => {
  const reader = createValidationReader();
  expect(reader.propertiesOf(Order)).toEqual(['name', 'count', 'stops', 'from', 'to']);
  const validators = reader.propertyRecords(Order, 'name').filter(({ type }) => type === 'customValidation');
  expect(validators.map(({ name }) => name)).toEqual(['minLength']);
  expect(reader.ownRecordsOf(Base).map(({ propertyName }) => propertyName)).toEqual(['count', 'count']);
});
