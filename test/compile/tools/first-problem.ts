import * as flat from '../../../src/compile/tools/generate-flat-schema.ts';
import * as grouped from '../../../src/compile/tools/generate-schema.ts';
import * as output from '../../../src/compile/tools/merge-output-schemas.ts';
import type { ToolFacts } from '../../../src/compile/tools/prepared-tool.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';

/** What a strategy makes; without a list its first problem is thrown, as by the plain API. */
function made<Result>(given: ProblemList | undefined, make: (problems: ProblemList) => Result): Result {
  const problems = given ?? new ProblemList();
  const result = make(problems);
  if (given === undefined) problems.throwFirst();
  return result;
}

type Schemas = readonly (JsonSchema | undefined)[];

export function generateSchema(tool: ToolFacts, problems?: ProblemList): ObjectSchema {
  return made(problems, (list) => grouped.generateSchema(tool, list));
}

export function generateFlatSchema(schemas: Schemas): ObjectSchema {
  return made(undefined, (list) => flat.generateFlatSchema(schemas, 'an action', list));
}

export function joinObjectSchemas(schemas: Schemas): flat.JoinedObject | undefined {
  return made(undefined, (list) => flat.joinObjectSchemas(schemas, 'an action', list));
}

export function mergeOutputSchemas(actions: readonly output.OutputFacts[]): ObjectSchema | undefined {
  return made(undefined, (list) => output.mergeOutputSchemas(actions, 'a tool', list));
}
