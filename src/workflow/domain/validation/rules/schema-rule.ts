import type { CompiledSchema, CompilingSchemaValidator } from '../../../../formats/index.ts';
import { ToolwrightError } from '../../../../index.ts';
import { InvalidCriteriaError } from '../../errors/invalid-criteria-error.ts';
import { isJsonObject } from '../../json/json-object.ts';
import { pointTo } from '../../json/pointer.ts';
import type { RuleFault } from '../criteria-plan.ts';
import type { OutputSubject } from '../output-subject.ts';
import type { RuleKind } from './rule-kind.ts';
import { mismatchOf } from './schema-mismatch.ts';

const SCHEMA_MISSING: RuleFault = {
  code: 'SCHEMA_MISSING',
  text: 'the rule has no schema that the output could match',
  suggestions: ['No output passes: have the schema of this rule added.'],
};

export const schemaRule: RuleKind = {
  members: ['schema'],
  compile(rule, path, { schemas }) {
    const schema = rule['schema'] ?? undefined;
    const compiled = schema === undefined ? undefined : compile(schema, pointTo(path, 'schema'), schemas);
    return {
      judge: (output) => (compiled === undefined ? SCHEMA_MISSING : judgeBy(compiled, output)),
      forbidden: {
        text: 'output must not be JSON that matches the schema',
        suggestions: ['Change the output so that the schema of this rule does not allow it.'],
      },
      cost: 0,
    };
  },
};

function compile(schema: unknown, path: string, schemas: CompilingSchemaValidator): CompiledSchema {
  // Text would be taken for the JSON of a schema
  if (!isJsonObject(schema) && typeof schema !== 'boolean') {
    throw new InvalidCriteriaError(path, 'a JSON Schema is an object or a boolean.');
  }
  try {
    return schemas.compile(schema);
  } catch (cause) {
    if (!ToolwrightError.is(cause)) throw cause;
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
