import type { CompiledSchema } from '../../../../formats/index.ts';
import { ToolwrightError } from '../../../../index.ts';
import { InvalidCriteriaError } from '../../errors/invalid-criteria-error.ts';
import { isPlainObject } from '../../../../shared/json.ts';
import { pointTo } from '../../../../schema/pointer.ts';
import type { RuleFault } from '../criteria-plan.ts';
import type { OutputSubject } from '../output-subject.ts';
import type { RuleCompiler, RuleKind } from './rule-kind.ts';
import { schemaCost } from './schema-cost.ts';
import { mismatchOf } from './schema-mismatch.ts';

const SCHEMA_MISSING: RuleFault = {
  code: 'SCHEMA_MISSING',
  text: 'the rule has no schema that the output could match',
  suggestions: ['No output passes: have the schema of this rule added.'],
};

export const schemaRule: RuleKind = {
  members: ['schema'],
  compile(rule, path, compiler) {
    const schema = rule['schema'] ?? undefined;
    const compiled = schema === undefined ? undefined : compile(schema, pointTo(path, 'schema'), compiler);
    return {
      judge: (output) => (compiled === undefined ? SCHEMA_MISSING : judgeBy(compiled, output)),
      forbidden: {
        text: 'output must not be JSON that matches the schema',
        suggestions: ['Change the output so that the schema of this rule does not allow it.'],
      },
    };
  },
};

function compile(schema: unknown, path: string, { schemas, budget }: RuleCompiler): CompiledSchema {
  // Text would be taken for the JSON of a schema
  if (!isPlainObject(schema) && typeof schema !== 'boolean') {
    throw new InvalidCriteriaError(path, 'a JSON Schema is an object or a boolean.');
  }
  try {
    return budget.spend({ ...schemaCost(schema), path }, () => schemas.compile(schema));
  } catch (cause) {
    if (cause instanceof InvalidCriteriaError || !ToolwrightError.is(cause)) throw cause;
    throw new InvalidCriteriaError(`${path}${pathIn(cause)}`, `the schema ${cause.what}`, cause);
  }
}

function judgeBy(schema: CompiledSchema, { json }: OutputSubject): RuleFault | undefined {
  if ('fault' in json) return notJson(json.fault);
  const { valid, errors } = schema.validate(json.value);
  return valid ? undefined : mismatchOf(errors);
}

function notJson(fault: string): RuleFault {
  return {
    code: 'NOT_JSON',
    text: `output must be JSON: ${fault}`,
    suggestions: ['Give JSON and nothing else: no text around it, and no Markdown fence.'],
    info: fault,
  };
}

/** The errors of the validator say where in the schema they are. */
function pathIn(error: object): string {
  return 'path' in error && typeof error.path === 'string' ? error.path : '';
}
