import type { Problem } from '../../errors/problem-list.ts';
import { classChain } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { isUnbounded } from './harden-validator.ts';
import { nameOf } from './shape-problems.ts';
import { collectionType, hasTransform, nestedClasses, nestedType } from './transformer-metadata.ts';
import {
  createValidationReader,
  validatorsOf,
  type ValidationReader,
  type ValidationRecord,
} from './validation-metadata.ts';

/** What works in a DTO, and in the classes nested in it, but hardly as its author meant it. */
export function shapeWarnings(target: Class, reader = createValidationReader()): readonly Problem[] {
  return Object.freeze(
    nestedClasses(target, reader).flatMap((type) =>
      reader
        .propertiesOf(type)
        .flatMap((property) => [
          ...redeclared(type, property, reader),
          ...eachWithoutArray(type, property, reader),
          ...unchecked(type, property, reader),
          ...unbounded(type, property, reader),
        ]),
    ),
  );
}

function redeclared(target: Class, property: string, reader: ValidationReader): readonly Problem[] {
  const bases = classChain(target).slice(1);
  const inherited = bases.flatMap((base) => namesOf(reader.ownRecordsOf(base), property));
  if (inherited.length === 0) return [];
  const own = namesOf(reader.ownRecordsOf(target), property);
  if (own.length === 0) return [];
  const lost = [...new Set(inherited)].filter((name) => !own.includes(name));
  if (lost.length === 0) return [];
  return [
    {
      code: 'TW_SHAPE_REDECLARED',
      where: `${nameOf(target)}.${property}`,
      what: `loses ${lost.map((name) => `"${name}"`).join(', ')} of the class it extends.`,
      why: 'a validator in a derived class replaces all inherited ones of that property.',
      fix: 'repeat the inherited validators that should still count',
    },
  ];
}

function namesOf(records: readonly ValidationRecord[], property: string): readonly string[] {
  return records
    .filter((record) => record.propertyName === property && record.type === 'customValidation')
    .flatMap((record) => validatorsOf(record).map(({ name }) => name));
}

function eachWithoutArray(target: Class, property: string, reader: ValidationReader): readonly Problem[] {
  const records = reader.propertyRecords(target, property);
  if (!records.some(({ each }) => each === true)) return [];
  const isArray = records.some(
    (record) =>
      record.each !== true && validatorsOf(record).some(({ name }) => name.toLowerCase().includes('array')),
  );
  const collection = collectionType(target, property);
  if (isArray || collection === 'map' || collection === 'set') return [];
  return [
    {
      code: 'TW_SHAPE_EACH_WITHOUT_ARRAY',
      where: `${nameOf(target)}.${property}`,
      what: 'is checked item by item, but a value that is not an array passes, too.',
      why: 'each: true looks into arrays and takes any other value as one item.',
      fix: 'add @IsArray()',
    },
  ];
}

function unbounded(target: Class, property: string, reader: ValidationReader): readonly Problem[] {
  const records = reader.propertyRecords(target, property);
  return records
    .filter((record) => isUnbounded(record, records))
    .map((record) => ({
      code: 'TW_SHAPE_PATTERN_UNBOUNDED',
      where: `${nameOf(target)}.${property}`,
      what: `has the pattern ${String(record.constraints?.[0])}, which may take very long for a long text.`,
      why: 'only the engine of JavaScript can read it, and that one tries all ways to match.',
      fix: 'add @MaxLength() with a small length, or write the pattern without look-around',
    }));
}

function unchecked(target: Class, property: string, reader: ValidationReader): readonly Problem[] {
  const records = reader.propertyRecords(target, property);
  if (records.some(({ type }) => type === 'nestedValidation') || hasTransform(target, property)) return [];
  const nested = nestedType(target, property);
  if (nested?.kind !== 'class' || nested.isDerived) return [];
  if (reader.recordsOf(nested.type).length === 0) return [];
  return [
    {
      code: 'TW_SHAPE_NESTED_UNCHECKED',
      where: `${nameOf(target)}.${property}`,
      what: `becomes a ${nameOf(nested.type)} whose own validators never run.`,
      why: '@Type converts, and only @ValidateNested validates.',
      fix: 'add @ValidateNested()',
    },
  ];
}
