import type { CompiledSchema, ValidationError } from '../../../formats/index.ts';
import { ToolwrightError } from '../../../index.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { RuleFault, OutputSubject } from './criteria-plan.ts';
import type { RuleCompiler, RuleKind } from './rule-compiler.ts';
import { patternCost } from './pattern-cost.ts';

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

/** What it costs to compile a schema. */
interface SchemaCost {
  /** Equal for schemas that say the same in the same order. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
}

interface Place {
  readonly name: string;
  readonly value: unknown;
}

// As measured
const INSTRUCTIONS_PER_SCHEMA = 200;
const INSTRUCTIONS_PER_VALUE = 25;
/** Beyond it nobody can pay, so that a schema that contains itself need not be read to its end. */
const MOST = 1_000_000;

/** Looks at every value in a schema, at any depth, and compiles nothing. */
export function schemaCost(schema: unknown): SchemaCost {
  const tokens: string[] = [];
  const pending: Place[] = [{ name: '', value: schema }];
  let cost = INSTRUCTIONS_PER_SCHEMA;
  for (let place = pending.pop(); place !== undefined && cost < MOST; place = pending.pop()) {
    cost +=
      INSTRUCTIONS_PER_VALUE + patternsAt(place).reduce((sum, each) => sum + patternCost(each, false), 0);
    const { value } = place;
    if (typeof value !== 'object' || value === null) {
      tokens.push(typeof value === 'string' ? JSON.stringify(value) : String(value));
      continue;
    }
    const members = Object.entries(value);
    tokens.push(`${Array.isArray(value) ? '[' : '{'}${members.length}`);
    for (const [name, member] of members) {
      tokens.push(JSON.stringify(name));
      pending.push({ name, value: member });
    }
  }
  return { key: tokens.join(' '), cost };
}

/** The regular expressions that stand in a place, or in a place that only looks like one. */
function patternsAt({ name, value }: Place): readonly string[] {
  if (name === 'pattern' && typeof value === 'string') return [value];
  const isMap = name === 'patternProperties' && typeof value === 'object' && value !== null;
  return isMap ? Object.keys(value) : [];
}

// Every item of a long array can have a fault, and an agent reads them all.
const SHOWN_FAULTS = 50;
const SUGGESTIONS = 5;

/** What an agent needs to repair JSON that a schema does not allow. */
function mismatchOf(errors: readonly ValidationError[]): RuleFault {
  const shown = errors.slice(0, SHOWN_FAULTS).map(({ path, message }) => `${path} ${message}`.trim());
  const more = errors.length - shown.length;
  const info = more > 0 ? [...shown, `and ${more} more`] : shown;
  return {
    code: 'SCHEMA_MISMATCH',
    text: `output must match the schema: ${info.join('; ')}`,
    suggestions: errors.slice(0, SUGGESTIONS).map(suggestionFor),
    info,
  };
}

function suggestionFor({ path, keyword, message, params }: ValidationError): string {
  const place = path === '' ? 'the JSON' : `the JSON at ${path}`;
  const missing = params['missingProperty'];
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof missing === 'string') return `Add the member "${missing}" to ${place}.`;
  if (typeof unknown === 'string') return `Take the member "${unknown}" out of ${place}.`;
  if (keyword === 'limit') return `Make ${place} smaller: it ${message}.`;
  return `Correct ${place}: it ${message}.`;
}
