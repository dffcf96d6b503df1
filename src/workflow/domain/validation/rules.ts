import { type RuleKind, type RuleCompiler, costOfPattern } from './rule-compiler.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';
import { type PlainObject, isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { RuleFault, RuleCheck, OutputSubject } from './criteria-plan.ts';
import { UnsupportedPatternError } from '../../../schema/patterns/translate-pattern.ts';
import type { CompiledSchema, ValidationError } from '../../../formats/index.ts';
import { ToolwrightError } from '../../../index.ts';
import { patternCost } from '../../../schema/patterns/pattern-cost.ts';

export const containsRule: RuleKind = {
  members: ['value'],
  compile({ value }) {
    const isText = typeof value === 'string';
    const shown = isText ? JSON.stringify(value) : String(value);
    const fault = {
      code: 'CONTAINS_MISSING',
      text: `output must contain ${isText ? `"${value}"` : shown}`,
      suggestions: [
        isText
          ? `Put ${shown} into the output, in exactly these letters, upper and lower case as here.`
          : 'No output passes: have the value of this rule corrected, which has to be text.',
      ],
    };
    return {
      check: ({ text }) => (isText && text.includes(value) ? undefined : fault),
      forbidden: {
        text: `output must not contain ${isText ? `"${value}"` : shown}`,
        suggestions: [`Take ${shown} out of the output.`],
      },
    };
  },
};

export const lengthRule: RuleKind = {
  members: ['min', 'max'],
  compile(rule, path) {
    const min = boundOf(rule, 'min', path);
    const max = boundOf(rule, 'max', path);
    if (min === undefined && max === undefined) {
      throw new InvalidCriteriaError(path, 'a length rule needs min or max.');
    }
    if (min !== undefined && max !== undefined && min > max) {
      throw new InvalidCriteriaError(path, `min, ${min}, is greater than max, ${max}.`);
    }
    return {
      check: ({ text: { length } }) => {
        if (min !== undefined && length < min) return tooShort(length, min);
        return max !== undefined && length > max ? tooLong(length, max) : undefined;
      },
      forbidden: {
        text: `output must not have ${rangeOf(min, max)}`,
        suggestions: [`Make the output longer or shorter, so that it does not have ${rangeOf(min, max)}.`],
      },
    };
  },
};

function boundOf(rule: PlainObject, name: string, path: string): number | undefined {
  const bound = rule[name];
  if (bound === undefined || (Number.isSafeInteger(bound) && (bound as number) >= 0)) {
    return bound as number | undefined;
  }
  throw new InvalidCriteriaError(
    pointTo(path, name),
    `${name} has to be a whole number that is not negative.`,
  );
}

function tooShort(length: number, min: number): RuleFault {
  return {
    code: 'TOO_SHORT',
    text: `output is shorter than ${min} characters`,
    suggestions: [`Add at least ${min - length} characters: the output has ${length}, and needs ${min}.`],
    info: { length, min },
  };
}

function tooLong(length: number, max: number): RuleFault {
  return {
    code: 'TOO_LONG',
    text: `output is longer than ${max} characters`,
    suggestions: [
      `Take out at least ${length - max} characters: the output has ${length}, of at most ${max}.`,
    ],
    info: { length, max },
  };
}

function rangeOf(min = 0, max?: number): string {
  return max === undefined ? `${min} characters or more` : `${min} to ${max} characters`;
}

export const regexRule: RuleKind = {
  members: ['pattern', 'flags'],
  compile(rule, path, compiler) {
    const { pattern } = rule;
    const flags = rule['flags'] ?? '';
    if (typeof pattern !== 'string') {
      throw new InvalidCriteriaError(path, 'a regex rule needs a pattern, which is text.');
    }
    if (typeof flags !== 'string' || !FLAGS.test(flags)) {
      throw new InvalidCriteriaError(pointTo(path, 'flags'), 'flags are i, m, s and u, each at most once.');
    }
    return checkByPattern(pattern, flags, pointTo(path, 'pattern'), compiler);
  },
};

const FLAGS = /^(?:([imsu])(?!.*\1))*$/;

/** @throws InvalidCriteriaError at the path */
export function checkByPattern(
  source: string,
  flags: string,
  path: string,
  compiler: RuleCompiler,
): RuleCheck {
  const { patterns } = compiler;
  const size = sizeOf(source, flags, path, compiler);
  const shown = `/${source}/${flags}`;
  const fault = {
    code: 'PATTERN_MISMATCH',
    text: `output must match ${shown}`,
    suggestions: [`Change the output so that some part of it matches the regular expression ${shown}.`],
  };
  return {
    // Not kept here: a compiled pattern can take ten thousand times the memory of its source
    check: ({ text }) => (patterns.compile(source, flags).test(text) ? undefined : fault),
    forbidden: {
      text: `output must not match ${shown}`,
      suggestions: [`Take everything that matches the regular expression ${shown} out of the output.`],
    },
    search: { size, shown },
  };
}

function sizeOf(source: string, flags: string, path: string, { patterns, budget }: RuleCompiler): number {
  try {
    const expense = { key: `${flags}/${source}`, cost: costOfPattern(source, flags), path };
    return budget.spend(expense, () => patterns.compile(source, flags)).size;
  } catch (cause) {
    if (!(cause instanceof UnsupportedPatternError)) throw cause;
    throw new InvalidCriteriaError(path, `the regular expression ${cause.message}.`, cause);
  }
}

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
      check: (output) => (compiled === undefined ? SCHEMA_MISSING : checkBySchema(compiled, output)),
      forbidden: {
        text: 'output must not be JSON that matches the schema',
        suggestions: ['Change the output so that the schema of this rule does not allow it.'],
      },
    };
  },
};

function compile(schema: unknown, path: string, { schemas, budget }: RuleCompiler): CompiledSchema {
  // The compiler would parse a string as the JSON of a schema
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

function checkBySchema(schema: CompiledSchema, { json }: OutputSubject): RuleFault | undefined {
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

/** The place in the schema that an error of the validator reports. */
function pathIn(error: object): string {
  return 'path' in error && typeof error.path === 'string' ? error.path : '';
}

/** The cost of compiling a schema. */
interface SchemaCost {
  /** Equal for schemas that are equal, including the order of members. */
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
/** Above every budget; stops the scan of a cyclic schema. */
const MOST = 1_000_000;

/** Scans every value in a schema, at any depth, without compiling anything. */
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

/** The regular expressions at a place in a schema; may include strings that only look like one. */
function patternsAt({ name, value }: Place): readonly string[] {
  if (name === 'pattern' && typeof value === 'string') return [value];
  const isMap = name === 'patternProperties' && typeof value === 'object' && value !== null;
  return isMap ? Object.keys(value) : [];
}

// Every item of a long array can have a fault, and an agent would read them all.
const SHOWN_FAULTS = 50;
const SUGGESTIONS = 5;

/** The fault of JSON that does not match a schema, with what an agent needs to repair it. */
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
