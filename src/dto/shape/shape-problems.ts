import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { Problem } from '../../errors/problem-list.ts';
import { isNotNull } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { blankInstance } from './blank-instance.ts';
import { fieldOptions } from './read-shape.ts';
import {
  collectionType,
  declaredType,
  hasTransform,
  nestedClasses,
  nestedType,
  PLAIN_TO_CLASS,
} from './transformer-metadata.ts';
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

type Storage = typeof defaultMetadataStorage;

/** One copy of class-transformer: its directory, and what its decorators wrote. */
interface Copy {
  readonly directory: string;
  readonly storage: Storage;
}

// Since 0.3 it lies below cjs/, before that beside the entry of the package.
const STORAGE_FILE = /^(.*[\\/]class-transformer)[\\/](?:cjs[\\/])?storage\.js$/;

/**
 * Every copy that this process has loaded. Node loads class-transformer as CommonJS, however it is imported, so the
 * cache of `require` has them all. A bundle is not in it, and other run times may have no such cache.
 */
function loadedCopies(): readonly Copy[] {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const modules = process?.getBuiltinModule?.('node:module');
  // All files have the same cache; the program of the process is a path that every system takes.
  const cache = modules?.createRequire(process?.execPath ?? '/').cache ?? {};
  return Object.keys(cache).flatMap((file) => {
    const directory = STORAGE_FILE.exec(file)?.[1];
    const { defaultMetadataStorage: storage } = (cache[file]?.exports ?? {}) as {
      readonly defaultMetadataStorage?: Storage;
    };
    return directory === undefined || storage === undefined ? [] : [{ directory, storage }];
  });
}

let copiesOfThisTurn: readonly Copy[] | undefined;

/** A scan asks for every class, and nothing is loaded meanwhile. */
function copies(): readonly Copy[] {
  if (copiesOfThisTurn === undefined) queueMicrotask(() => (copiesOfThisTurn = undefined));
  return (copiesOfThisTurn ??= loadedCopies());
}

/** What another copy of class-transformer was told about a class is seen by nobody here. */
function copyProblem(target: Class, where: string, properties: readonly string[]): Problem | undefined {
  const own = copies().find(({ storage }) => storage === defaultMetadataStorage);
  const other = copies().find((copy) => copy !== own && hasDecorated(copy.storage, target, properties));
  if (other === undefined) return undefined;
  return {
    code: 'TW_SHAPE_TRANSFORMER_COPIES',
    where,
    what: 'has decorators of another copy of class-transformer than the one that reads them.',
    why: `each copy keeps what its decorators say to itself: they are of ${other.directory}, read by ${own?.directory ?? 'toolwright'}.`,
    fix: 'leave one copy: `npm ls class-transformer` shows who brings the other one, `npm dedupe` makes one of equal versions',
  };
}

function hasDecorated(storage: Storage, target: Class, properties: readonly string[]): boolean {
  return (
    storage.getExposedMetadatas(target).length > 0 ||
    storage.getExcludedMetadatas(target).length > 0 ||
    properties.some(
      (property) =>
        storage.findTypeMetadata(target, property) !== undefined ||
        storage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0,
    )
  );
}
