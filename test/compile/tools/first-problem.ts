import * as joined from '../../../src/compile/tools/join-schemas.ts';
import * as grouped from '../../../src/compile/tools/generate-schema.ts';
import type { ToolFacts } from '../../../src/compile/tools/prepared-tool.ts';
import { ProblemList } from '../../../src/errors/problem-list.ts';
import type { JsonSchema, ObjectSchema } from '../../../src/shared/json-schema.ts';

/** What is made; without a list its first problem is thrown, as by the plain API. */
function made<Result>(given: ProblemList | undefined, make: (problems: ProblemList) => Result): Result {
  const problems = given ?? new ProblemList();
  const result = make(problems);
  if (given === undefined) problems.throwFirst();
  return result;
}

type Schemas = readonly (JsonSchema | undefined)[];

export function generateSchema(
  tool: ToolFacts,
  problems?: ProblemList,
  notices = new ProblemList(),
): ObjectSchema {
  return made(problems, (list) => grouped.generateSchema(tool, { problems: list, notices }));
}

export function generateFlatSchema(schemas: Schemas): ObjectSchema {
  return joinObjectSchemas(schemas)?.schema as ObjectSchema;
}

export function joinObjectSchemas(schemas: Schemas): joined.JoinedObject | undefined {
  return made(undefined, (list) => joined.joinObjectSchemas(schemas, 'an action', list));
}

export function mergeOutputSchemas(actions: readonly joined.OutputFacts[]): ObjectSchema | undefined {
  return made(undefined, (list) => joined.mergeOutputSchemas(actions, 'a tool', list));
}
