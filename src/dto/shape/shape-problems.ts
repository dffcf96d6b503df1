import { ProblemList, type Problem, type ProblemPlace } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import { propertyType } from '../../metadata/design-types.ts';
import { classChain, isNotNull } from '../../metadata/records.ts';
import { sensitiveProperties } from '../../metadata/sensitive-fields.ts';
import type { Class } from '../../shared/class-type.ts';
import { checkCopies } from './transformer-copies.ts';
import { blankInstance } from './blank-instance.ts';
import { isUnbounded } from './harden-validator.ts';
import { fieldOptions } from './read-shape.ts';
import {
  collectionType,
  declaredType,
  hasTransform,
  nestedClasses,
  nestedType,
} from './transformer-metadata.ts';
import {
  createValidationReader,
  isRegistered,
  validatorsOf,
  type ValidationReader,
  type ValidationRecord,
} from './validation-metadata.ts';

/** Everything in a DTO, and in the classes nested in it, that could never work. */
export function shapeProblems(target: Class, reader = createValidationReader()): readonly Problem[] {
  const problems = new ProblemList();
  for (const type of nestedClasses(target, reader)) checkClass(type, reader, problems);
  return Object.freeze(problems.problems);
}

function checkClass(target: Class, reader: ValidationReader, problems: ProblemList): void {
  const here = problems.at(nameOf(target));
  if (reader.recordsOf(target).length === 0) {
    if (checkFields(target, reader, problems)) return;
    here.add('TW_SHAPE_UNDECORATED', {
      what: 'has no property with a validation decorator.',
      why: 'class-validator refuses every instance of a class without decorators.',
      fix: 'decorate its properties (@IsString() title!: string), or leave the class out if there is no input',
    });
    return;
  }
  const validated = reader.propertiesOf(target);
  const hasOtherCopy = checkCopies(target, validated, here);
  if (blankInstance(target) === undefined) {
    here.add('TW_SHAPE_CONSTRUCTOR', {
      what: 'cannot be constructed without arguments.',
      why: 'an instance is created first and filled from the input afterwards.',
      fix: 'remove the constructor, or make its parameters optional',
    });
  }
  for (const property of validated) {
    const place = problems.at(`${here.where}.${property}`);
    const records = reader.propertyRecords(target, property);
    checkProperty(property, records, place);
    // Problems that @Type of the other copy may solve
    if (!hasOtherCopy) checkTypes(target, property, records, place);
  }
  checkFields(target, reader, problems);
  checkSensitive(target, reader, problems);
}

/** A header is read by proxies on the way (spec 2026-07-28: server/tools, x-mcp-header), and their logs keep it. */
function checkSensitive(target: Class, reader: ValidationReader, problems: ProblemList): void {
  for (const property of sensitiveProperties(target)) {
    if (typeof property !== 'string') continue;
    const header = fieldOptions(target).get(property)?.header ?? headerWithin(target, property, reader);
    if (header === undefined) continue;
    problems.at(`${nameOf(target)}.${property}`).add('TW_SHAPE_SENSITIVE_HEADER', {
      what: `is sensitive, and is sent as the header "${header}".`,
      why: 'proxies and their logs read headers.',
      fix: 'remove `header` from the @Field, or remove @Sensitive()',
    });
  }
}

/** A header inside the value of a property. */
function headerWithin(target: Class, property: string, reader: ValidationReader): string | undefined {
  const nested = nestedType(target, property);
  if (nested?.kind !== 'class') return undefined;
  return nestedClasses(nested.type, reader)
    .flatMap((type) => [...fieldOptions(type).values()])
    .find(({ header }) => header !== undefined)?.header;
}

function checkProperty(property: string, records: readonly ValidationRecord[], here: ProblemPlace): void {
  if (property in Object.prototype) {
    here.add('TW_SHAPE_RESERVED_NAME', {
      what: 'is named like a member that every object has.',
      why: 'class-validator and class-transformer fail on such names.',
      fix: 'rename the property; @Expose({ name }) does not help here',
    });
  }
  const unregistered = records.find((record) => record.type === 'customValidation' && !isRegistered(record));
  if (unregistered === undefined) return;
  const { constraintCls: validator } = unregistered;
  here.add('TW_SHAPE_VALIDATOR_UNREGISTERED', {
    what: `is validated by ${validator === undefined ? 'a class' : nameOf(validator)}, which class-validator does not know.`,
    why: 'a validator class without @ValidatorConstraint is skipped in silence.',
    fix: '@ValidatorConstraint() on the validator class',
  });
}

function checkTypes(
  target: Class,
  property: string,
  records: readonly ValidationRecord[],
  here: ProblemPlace,
): void {
  const isNested = records.some(({ type }) => type === 'nestedValidation');
  const collection = collectionType(target, property);
  const isBuilt = collection === 'map' || collection === 'set';
  if ((!isNested && !isBuilt) || hasTransform(target, property)) return;
  if (isNested && nestedType(target, property) === undefined) {
    here.add('TW_SHAPE_NESTED_TYPE', {
      what: 'has @ValidateNested, but its class is not known.',
      ...(propertyType(target, property).kind === 'notEmitted' ? WITHOUT_METADATA : WITHOUT_CLASS),
    });
  }
  if (!isBuilt || declaredType(target, property) !== undefined) return;
  const name = collection === 'map' ? 'Map' : 'Set';
  here.add('TW_SHAPE_COLLECTION_TYPE', {
    what: `is a ${name}, but nothing makes one from JSON.`,
    why: `class-transformer builds a ${name} only if @Type says what it holds.`,
    fix: '@Type(() => String), with the class of the values',
  });
}

const WITHOUT_CLASS = {
  why: 'there is no class at run time for arrays and interfaces; every value would be refused.',
  fix: '@Type(() => TheClass) from class-transformer',
};

/** A file with validators alone may have been imported before the package that brings the metadata. */
const WITHOUT_METADATA = {
  why: 'no type was written down: the file ran before reflect-metadata was there, which toolwright brings, or its compiler writes none; every value would be refused.',
  fix: "make `import 'toolwright'` the first line of the file that is started, before the imports of DTO files; or @Type(() => TheClass) from class-transformer",
};

/** Reports fields that nothing checks; true where there are some. */
function checkFields(target: Class, reader: ValidationReader, problems: ProblemList): boolean {
  const isChecked = (property: string): boolean =>
    reader.propertyRecords(target, property).some(({ constraints }) => constraints?.[0] !== isNotNull);
  const fields = fieldOptions(target);
  const sensitive = [...sensitiveProperties(target)].filter((property) => typeof property === 'string');
  const unchecked = [...new Set([...fields.keys(), ...sensitive])].filter((property) => !isChecked(property));
  for (const property of unchecked) {
    problems.at(`${nameOf(target)}.${property}`).add('TW_SHAPE_FIELD_WITHOUT_VALIDATOR', {
      what: `has ${fields.has(property) ? '@Field' : '@Sensitive()'} and no validator.`,
      why: 'only properties with a validator are fields of the input; this one would be refused as unknown.',
      fix: 'add a validator, or @Allow() for a value of any kind',
    });
  }
  return unchecked.length > 0;
}

/** Declarations in a DTO and its nested classes that work, but probably not as their author intended. */
export function shapeWarnings(target: Class, reader = createValidationReader()): readonly Problem[] {
  const warnings = new ProblemList<WarningCode>();
  for (const type of nestedClasses(target, reader)) {
    for (const property of reader.propertiesOf(type)) {
      const here = warnings.at(`${nameOf(type)}.${property}`);
      const records = reader.propertyRecords(type, property);
      warnOfRedeclared(type, property, reader, here);
      warnOfItems(type, property, records, here);
      warnOfUnchecked(type, property, records, reader, here);
      for (const record of records) if (isUnbounded(record, records)) warnOfPattern(record, here);
    }
  }
  return Object.freeze(warnings.problems);
}

function warnOfRedeclared(
  target: Class,
  property: string,
  reader: ValidationReader,
  here: ProblemPlace<WarningCode>,
): void {
  const chain = classChain(target);
  // Most DTOs extend nothing, and an application has thousands of properties
  if (chain.length === 1) return;
  const [own = [], ...inherited] = chain.map((type) => namesOf(reader.ownRecordsOf(type), property));
  const lost = [...new Set(inherited.flat())].filter((name) => !own.includes(name));
  if (own.length === 0 || lost.length === 0) return;
  here.add('TW_SHAPE_REDECLARED', {
    what: `loses ${lost.map((name) => `"${name}"`).join(', ')} of the class it extends.`,
    why: 'a validator in a derived class replaces all inherited ones of that property.',
    fix: 'repeat the inherited validators that should still count',
  });
}

function namesOf(records: readonly ValidationRecord[], property: string): readonly string[] {
  return records
    .filter((record) => record.propertyName === property && record.type === 'customValidation')
    .flatMap((record) => validatorsOf(record).map(({ name }) => name));
}

function warnOfItems(
  target: Class,
  property: string,
  records: readonly ValidationRecord[],
  here: ProblemPlace<WarningCode>,
): void {
  if (!records.some(({ each }) => each === true)) return;
  const ofValue = records.filter(({ each }) => each !== true);
  const names = ofValue.flatMap((record) => validatorsOf(record).map(({ name }) => name.toLowerCase()));
  const collection = collectionType(target, property);
  if (names.some((name) => name.includes('array')) || collection === 'map' || collection === 'set') return;
  here.add('TW_SHAPE_EACH_WITHOUT_ARRAY', {
    what: 'is checked item by item, but a value that is not an array passes, too.',
    why: '`each: true` checks the items of arrays and treats any other value as one item.',
    fix: 'add @IsArray()',
  });
}

function warnOfPattern({ constraints }: ValidationRecord, here: ProblemPlace<WarningCode>): void {
  here.add('TW_SHAPE_PATTERN_UNBOUNDED', {
    what: `has the pattern ${String(constraints?.[0])}, which may take very long on a long text.`,
    why: 'only the engine of JavaScript can run it, and that engine tries all ways to match.',
    fix: 'add @MaxLength() with a small length, or write the pattern without look-around',
  });
}

function warnOfUnchecked(
  target: Class,
  property: string,
  records: readonly ValidationRecord[],
  reader: ValidationReader,
  here: ProblemPlace<WarningCode>,
): void {
  if (records.some(({ type }) => type === 'nestedValidation')) return;
  const nested = nestedType(target, property);
  if (nested?.kind !== 'class' || nested.isDerived || hasTransform(target, property)) return;
  if (reader.recordsOf(nested.type).length === 0) return;
  here.add('TW_SHAPE_NESTED_UNCHECKED', {
    what: `becomes a ${nameOf(nested.type)} whose own validators never run.`,
    why: '@Type converts, and only @ValidateNested validates.',
    fix: 'add @ValidateNested()',
  });
}

/** The name of a class in messages. */
function nameOf(target: Class): string {
  return target.name === '' ? '(anonymous class)' : target.name;
}
