import { expect, jest, test } from '@jest/globals';
import { inspect } from 'node:util';
import { IsNotEmpty, IsOptional, IsString, MinLength, getMetadataStorage } from 'class-validator';
import { Field, Sensitive } from 'toolwright';
import { createClassContract } from '../../src/compile/contracts/create-contract.ts';
import { plainToInstance } from 'class-transformer';
import type { Class } from '../../src/shared/class-type.ts';

class Account {
  @IsString() id!: string;
  @IsString()
  @MinLength(3)
  @Field({ description: 'Title of the account', examples: ['Blue'] })
  title!: string;
  @IsNotEmpty() @Field('Times') times!: number;
  @IsString() @Sensitive() password!: string;
}

/** Other packages use the metadata of the compiler as they like. */
const metadata = Reflect as unknown as {
  getMetadata(key: string, target: object, property: string): unknown;
  defineMetadata(key: string, value: unknown, target: object, property: string): void;
};

function copyDesignType(source: Class, copy: abstract new () => object, property: string): void {
  const type = metadata.getMetadata('design:type', source.prototype as object, property);
  metadata.defineMetadata('design:type', type, copy.prototype as object, property);
}

/** What PickType, OmitType and PartialType of mapped types do. */
function copyOf(source: Class, names: readonly string[], isPartial = false): Class {
  abstract class Copied {}
  const storage = getMetadataStorage();
  for (const record of storage.getTargetValidationMetadatas(source, '', false, false)) {
    if (!names.includes(record.propertyName)) continue;
    copyDesignType(source, Copied, record.propertyName);
    storage.addValidationMetadata(Object.assign(Object.create(record) as typeof record, { target: Copied }));
    if (isPartial) IsOptional()(Copied.prototype, record.propertyName);
  }
  return Copied as unknown as Class;
}

class Create extends (copyOf(Account, ['title', 'times', 'password']) as new () => object) {}
class Update extends (copyOf(Account, ['title', 'times', 'password'], true) as new () => object) {}
class Narrow extends (copyOf(Create, ['title']) as new () => object) {}
class Renamed extends (copyOf(Account, ['title']) as new () => object) {
  @IsString() @Field('A title of its own') title!: string;
}
class Stranger {
  @IsString() title!: string;
}

const title = (type: Class): object | undefined =>
  createClassContract(type, { unknownFields: 'strict', where: 'test' }).schema.properties?.['title'];

test.each<readonly [string, Class]>([
  ['taken over', Create],
  ['optional', Update],
  ['taken over twice', Narrow],
])('what @Field says of a property that is %s is published', (_, type) => {
  expect(title(type)).toMatchObject({
    description: 'Title of the account',
    examples: ['Blue'],
    minLength: 3,
  });
});

test('what a class says itself comes first, and strangers with such a property get nothing', () => {
  expect(title(Renamed)).toMatchObject({ description: 'A title of its own', examples: ['Blue'] });
  expect(title(Stranger)).toEqual({ type: 'string' });
});

test('the type of a property comes with it', () => {
  const { schema } = createClassContract(Create, { unknownFields: 'strict', where: 'test' });
  expect(schema.properties?.['times']).toEqual({ type: 'number', description: 'Times' });
});

test('a sensitive property stays hidden', () => {
  const { check, redaction } = createClassContract(Create, { unknownFields: 'strict', where: 'test' });
  expect(redaction?.shown({ title: 'abc', times: 1, password: 'hunter22' })).toMatchObject({
    password: '[redacted]',
  });
  expect(JSON.stringify(check({ title: 1, times: 1, password: 'hunter22' }))).not.toContain('hunter22');
  expect(inspect(plainToInstance(Create, { password: 'hunter22' }))).not.toContain('hunter22');
});

test('what a scan keeps ends with it, also where a test holds the time', async () => {
  jest.useFakeTimers();
  class Early extends (copyOf(Account, ['title']) as new () => object) {}
  expect(title(Early)).toHaveProperty('description');
  jest.useRealTimers();
  await Promise.resolve();
  class Late {
    @IsString() @Field('Came later') title!: string;
  }
  class Copied extends (copyOf(Late, ['title']) as new () => object) {}
  expect(title(Copied)).toMatchObject({ description: 'Came later' });
});
