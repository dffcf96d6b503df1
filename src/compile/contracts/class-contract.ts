import type { CheckOutcome, Issue } from '../../call/issue.ts';
import { ApplicationError, type Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { UnknownFields } from '../../metadata/options.ts';
import { readShape } from '../../shape/read-shape.ts';
import { indexShapes } from '../../shape/shape-index.ts';
import type { ObjectShape } from '../../shape/shape.ts';
import { shapeProblems } from '../../shape/shape-problems.ts';
import { shapeWarnings } from '../../shape/shape-warnings.ts';
import { createValidationReader } from '../../shape/validation-metadata.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import type { PlainObject } from '../../shared/json.ts';
import { createClassStack, type StackResult } from '../checker/class-stack.ts';
import { createNameJudge, type JudgedInput } from '../checker/judge-names.ts';
import type { Contract } from '../contract.ts';
import { emitJsonSchema } from '../json-schema/emit-json-schema.ts';
import { classIssues, type ClassIssueContext } from './class-issues.ts';
import type { ContractOptions } from './contract-options.ts';
import { makeIssue, refused } from './make-issue.ts';
import { omitNames } from './omit-names.ts';
import { thrownIssues } from './thrown-issues.ts';

type Outcome = CheckOutcome<object>;

/** The contract of a DTO class: the schema is read from its validators, the check runs them. */
export function createClassContract(type: Class, options: ContractOptions): Contract {
  const { unknownFields, where, without = [] } = options;
  const reader = createValidationReader();
  refuseBroken(shapeProblems(type, reader), where);
  const shape = readShape(type, reader);
  const emitted = emitJsonSchema(shape, unknownFields);
  const schema = omitNames(emitted.schema, without);
  const looseFields = emitted.looseFields.filter(({ field }) => !without.includes(rootName(field)));
  return Object.freeze({
    source: type,
    type,
    schema,
    names: Object.freeze(Object.keys(schema.properties ?? {})),
    acceptsFurtherNames: false,
    looseFields: Object.freeze(looseFields),
    warnings: shapeWarnings(type, reader),
    check: createClassCheck(shape, emitted.schema, unknownFields, new Set(without)),
  });
}

function createClassCheck(
  shape: ObjectShape,
  schema: JsonSchema,
  unknownFields: UnknownFields,
  without: ReadonlySet<string>,
): Contract['check'] {
  const shapes = indexShapes(shape);
  const judge = createNameJudge(shape, unknownFields);
  const stack = createClassStack(shape);

  const settle = (judged: JudgedInput, result: StackResult, context: ClassIssueContext): Outcome => {
    const found = classIssues(result.failures, shape, [], context);
    const issues = [...judged.issues, ...found].filter(({ path }) => !without.has(rootName(path)));
    return issues.length > 0 ? refused(issues) : { ok: true, value: result.instance };
  };
  const settleThrown = (judged: JudgedInput, context: ClassIssueContext): Outcome => {
    const found = [...judged.issues, ...guardedThrown(judged.value, context)];
    return refused(found.length > 0 ? found : [makeIssue([], 'the value could not be checked', context)]);
  };
  const guardedThrown = (plain: PlainObject, context: ClassIssueContext): readonly Issue[] => {
    try {
      return thrownIssues(shape, stack.hydrate(plain), [], context);
    } catch {
      return [];
    }
  };

  return (value) => {
    const context: ClassIssueContext = { schema, input: value, shapes };
    const judged = judge(value);
    if (judged.isTooDeep) return refused(judged.issues);
    try {
      const result = stack.run(judged.value);
      if (!(result instanceof Promise)) return settle(judged, result, context);
      return result.then(
        (settled) => settle(judged, settled, context),
        () => settleThrown(judged, context),
      );
    } catch {
      return settleThrown(judged, context);
    }
  };
}

/** The builder has no scanner before it, so a class that can never work is refused here as well. */
function refuseBroken(problems: readonly Problem[], where: string): void {
  const [first] = problems;
  if (first === undefined) return;
  if (problems.length > 1) throw new ApplicationError(where, problems);
  throw new ToolwrightError(first.code, first);
}

function rootName(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
