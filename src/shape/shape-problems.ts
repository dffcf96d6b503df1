import type { Problem } from '../errors/problem-list.ts';
import { isNotNull } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { blankInstance } from './blank-instance.ts';
import { fieldOptions } from './field-docs.ts';
import { nestedClasses } from './nested-classes.ts';
import { collectionType, nestedType } from './nested-type.ts';
import { copyProblem } from './transformer-copies.ts';
import { declaredType, hasTransform } from './transformer-metadata.ts';
import { createValidationReader, validatorsOf, type ValidationReader } from './validation-metadata.ts';

/** What @Type of class-transformer would solve. */
const NEEDS_TYPE: ReadonlySet<string> = new Set(['TW_SHAPE_NESTED_TYPE', 'TW_SHAPE_COLLECTION_TYPE']);

/** Everything in a DTO, and in the classes nested in it, that could never work. */
export function shapeProblems(target: Class, reader = createValidationReader()): readonly Problem[] {
  return Object.freeze(nestedClasses(target, reader).flatMap((type) => classProblems(type, reader)));
}

function classProblems(target: Class, reader: ValidationReader): readonly Problem[] {
  const validated = reader.propertiesOf(target);
  if (reader.recordsOf(target).length === 0) {
    const fields = fieldProblems(target, reader);
    return fields.length > 0 ? fields : [undecorated(target)];
  }
  const fromOther = copyProblem(target, nameOf(target), validated);
  const properties = validated
    .flatMap((property) => propertyProblems(target, property, reader))
    .filter(({ code }) => fromOther === undefined || !NEEDS_TYPE.has(code));
  const all = [...constructorProblems(target), ...properties, ...fieldProblems(target, reader)];
  return fromOther === undefined ? all : [fromOther, ...all];
}

function undecorated(target: Class): Problem {
  return {
    code: 'TW_SHAPE_UNDECORATED',
    where: nameOf(target),
    what: 'has no property with a validation decorator.',
    why: 'class-validator refuses every instance of a class that it knows nothing about.',
    fix: 'decorate its properties (@IsString() title!: string), or leave the class out where nothing is put in',
  };
}

function constructorProblems(target: Class): readonly Problem[] {
  if (blankInstance(target) !== undefined) return [];
  return [
    {
      code: 'TW_SHAPE_CONSTRUCTOR',
      where: nameOf(target),
      what: 'cannot be constructed without arguments.',
      why: 'an instance is made first and filled in from the input afterwards.',
      fix: 'remove the constructor, or let it do without arguments',
    },
  ];
}

function propertyProblems(target: Class, property: string, reader: ValidationReader): readonly Problem[] {
  const where = `${nameOf(target)}.${property}`;
  const problems: Problem[] = [];
  if (property in Object.prototype) problems.push(reservedName(where));
  const records = reader.propertyRecords(target, property);
  const isNested = records.some(({ type }) => type === 'nestedValidation');
  if (isNested && nestedType(target, property) === undefined && !hasTransform(target, property))
    problems.push(nestedWithoutType(where));
  const collection = collectionType(target, property);
  const isCollection = collection === 'map' || collection === 'set';
  if (isCollection && declaredType(target, property) === undefined && !hasTransform(target, property)) {
    problems.push(collectionWithoutType(where, collection));
  }
  const unregistered = records.find(
    (record) => record.type === 'customValidation' && validatorsOf(record).length === 0,
  );
  if (unregistered !== undefined) problems.push(unregisteredValidator(where, unregistered.constraintCls));
  return problems;
}

function reservedName(where: string): Problem {
  return {
    code: 'TW_SHAPE_RESERVED_NAME',
    where,
    what: 'is named like a member that every object has.',
    why: 'class-validator and class-transformer fail on such names.',
    fix: 'rename the property; @Expose({ name }) does not help here',
  };
}

function nestedWithoutType(where: string): Problem {
  return {
    code: 'TW_SHAPE_NESTED_TYPE',
    where,
    what: 'has @ValidateNested, but its class is not known.',
    why: 'arrays, interfaces and compilers without type metadata leave no class at run time, so every value would be refused.',
    fix: '@Type(() => TheClass) from class-transformer',
  };
}

function collectionWithoutType(where: string, collection: 'map' | 'set'): Problem {
  const name = collection === 'map' ? 'Map' : 'Set';
  return {
    code: 'TW_SHAPE_COLLECTION_TYPE',
    where,
    what: `is a ${name}, but nothing makes one from JSON.`,
    why: `class-transformer builds a ${name} only where @Type says what is in it.`,
    fix: '@Type(() => String), with the class of the values',
  };
}

function unregisteredValidator(where: string, validator: Class | undefined): Problem {
  return {
    code: 'TW_SHAPE_VALIDATOR_UNREGISTERED',
    where,
    what: `is validated by ${validator === undefined ? 'a class' : nameOf(validator)}, which class-validator does not know.`,
    why: 'a validator class without @ValidatorConstraint is skipped in silence.',
    fix: '@ValidatorConstraint() on the validator class',
  };
}

function fieldProblems(target: Class, reader: ValidationReader): readonly Problem[] {
  const isChecked = (property: string): boolean =>
    reader.propertyRecords(target, property).some(({ constraints }) => constraints?.[0] !== isNotNull);
  return [...fieldOptions(target).keys()]
    .filter((property) => !isChecked(property))
    .map((property) => ({
      code: 'TW_SHAPE_FIELD_WITHOUT_VALIDATOR',
      where: `${nameOf(target)}.${property}`,
      what: 'has @Field and no validator.',
      why: 'only properties with a validator are fields of the input; this one would be refused as unknown.',
      fix: 'add a validator, or @Allow() for a value of any kind',
    }));
}

/** The name of a class in messages. */
export function nameOf(target: Class): string {
  return target.name === '' ? '(anonymous class)' : target.name;
}
