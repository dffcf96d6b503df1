import { ApplicationError, type Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { readShape } from '../../shape/read-shape.ts';
import { shapeProblems } from '../../shape/shape-problems.ts';
import { shapeWarnings } from '../../shape/shape-warnings.ts';
import { createValidationReader } from '../../shape/validation-metadata.ts';
import type { Class } from '../../shared/class-type.ts';
import { createChecker, createClassCheck } from '../checker/create-checker.ts';
import type { CheckPath } from '../checker/explanation.ts';
import type { Contract } from '../contract.ts';
import { emitJsonSchema } from '../json-schema/emit-json-schema.ts';
import { concerns } from './concerns.ts';
import type { ContractOptions } from './contract-options.ts';
import { createLibraryCheck } from './library-check.ts';
import { omitNames } from './omit-names.ts';

export interface ClassContractOptions extends ContractOptions {
  /** As class-transformer reads or as it writes instances; the input by default. */
  readonly side?: 'input' | 'output';
  /** How to check, where there is a choice; the fastest way by default. */
  readonly path?: CheckPath;
}

/** The contract of a DTO class: the schema is read from its validators, the check runs them. */
export function createClassContract(type: Class, options: ClassContractOptions): Contract {
  const {
    unknownFields,
    where,
    without = [],
    isScanned = false,
    side = 'input',
    path = 'generated',
  } = options;
  const reader = createValidationReader();
  if (!isScanned) refuseBroken(shapeProblems(type, reader), where);
  const shape = readShape(type, reader, side);
  const { schema, looseFields } = emitJsonSchema(shape, unknownFields);
  const declared = Object.keys(schema.properties ?? {});
  const redeclared = Object.freeze(declared.filter((name) => without.includes(name)));
  const checker = createChecker(shape, { unknownFields, redeclared, path });
  return Object.freeze({
    source: type,
    type,
    schema: omitNames(schema, without),
    names: Object.freeze(declared.filter((name) => !without.includes(name))),
    redeclared,
    acceptsFurtherNames: false,
    looseFields: Object.freeze(looseFields.filter(({ field }) => !concerns(field, redeclared))),
    warnings: shapeWarnings(type, reader),
    get explanation() {
      return checker.explanation;
    },
    check: createClassCheck(checker, () =>
      createLibraryCheck(shape, schema, { unknownFields, redeclared, side, checker }),
    ),
  } satisfies Contract);
}

/** The builder has no scanner before it, so a class that can never work is refused here as well. */
function refuseBroken(problems: readonly Problem[], where: string): void {
  const [first] = problems;
  if (first === undefined) return;
  if (problems.length > 1) throw new ApplicationError(where, problems);
  throw new ToolwrightError(first.code, first);
}
