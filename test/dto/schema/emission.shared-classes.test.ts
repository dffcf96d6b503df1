import { expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { createContract } from '../../../src/compile/contracts/create-contract.ts';
import { emitJsonSchema } from '../../../src/dto/schema/emit-json-schema.ts';
import { readShape } from '../../../src/dto/shape/read-shape.ts';
import { visitShapes } from '../../../src/dto/shape/shape.ts';
import type { Class } from '../../../src/shared/class-type.ts';
import { check, issues, strict } from '../../support/check-helpers.ts';

/** Gives a class nested properties, as decorators in its body would. */
function nest(owner: Class, fields: Readonly<Record<string, () => Class>>): void {
  for (const [name, type] of Object.entries(fields)) {
    const prototype = owner.prototype as object;
    ValidateNested()(prototype, name);
    IsOptional()(prototype, name);
    Type(type)(prototype, name);
  }
}

/** Each level refers to the next one twice. */
function ladder(levels: number): Class {
  class Leaf {
    @IsString() text!: string;
  }
  let next: Class = Leaf;
  for (let level = levels; level > 0; level -= 1) {
    const below = next;
    const type = { [`Level${level}`]: class {} }[`Level${level}`] as Class;
    nest(type, { left: () => below, right: () => below });
    next = type;
  }
  return next;
}

/** Classes that all refer to all others. */
function clique(size: number): Class {
  const classes = Array.from(
    { length: size },
    (_, index) => ({ [`C${index}`]: class {} })[`C${index}`] as Class,
  );
  for (const owner of classes) {
    const others = classes.filter((one) => one !== owner);
    nest(owner, Object.fromEntries(others.map((one) => [`to${one.name}`, () => one])));
  }
  return classes[0] as Class;
}

function countVisits(type: Class): number {
  let count = 0;
  visitShapes(readShape(type), () => (count += 1));
  return count;
}

test('a shape is as large as its classes, not as the ways through them', () => {
  expect(countVisits(ladder(20))).toBeLessThan(60);
  expect(countVisits(clique(12))).toBeLessThan(300);
});

test('the schema of classes that use each other grows with their number', () => {
  const size = (type: Class): number =>
    JSON.stringify(emitJsonSchema(readShape(type), 'strict').schema).length;
  expect(size(ladder(20))).toBeLessThan(6_000);
  expect(size(clique(12))).toBeLessThan(20_000);
});

test('a contract over definitions publishes, accepts and refuses as before', () => {
  const type = ladder(16);
  const contract = createContract(type, strict);
  expect(Object.keys(contract.schema.$defs ?? {})).toHaveLength(16);
  expect(contract.schema.properties?.['left']).toEqual(contract.schema.properties?.['right']);
  expect(check(type, { left: { right: {} } }).ok).toBe(true);
  expect(issues(type, { left: { right: { lef: {} } } })).toMatchObject([
    { path: 'left.right.lef', accepted: ['left', 'right'], suggestion: 'left' },
  ]);
  expect(issues(type, { left: 3 })).toMatchObject([{ path: 'left', expected: 'object' }]);
});

test('small shared classes are written where they are used', () => {
  const { schema } = emitJsonSchema(readShape(ladder(3)), 'strict');
  expect(schema).not.toHaveProperty('$defs');
  expect(schema.properties?.['left']?.properties?.['right']).toMatchObject({
    type: 'object',
  });
});
