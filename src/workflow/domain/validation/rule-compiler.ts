import { LRUCache } from 'lru-cache';
import {
  type CompiledSchema,
  type SchemaValidator,
  type ValidationError,
  createSchemaValidator,
} from '../../../formats/index.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { ToolwrightError } from '../../../index.ts';
import type { OutputSubject, RuleCheck, RuleFault } from './criteria-plan.ts';
import { InvalidCriteriaError } from '../errors/workflow-error.ts';
import { compileLinear, type LinearPattern } from '../../../schema/patterns/linear-pattern.ts';
import { translatePattern, UnsupportedPatternError } from '../../../schema/patterns/translate-pattern.ts';
import { patternCost } from '../../../schema/patterns/pattern-cost.ts';

/** The compilers of parts of rules, with their caches. */
export interface RuleEngines {
  readonly patterns: PatternCache;
  readonly schemas: { compile(schema: unknown): SchemaCheck };
}

type SchemaCheck = Pick<CompiledSchema, 'validate'>;

/** The engines, and their budget. */
export interface RuleCompiler extends RuleEngines {
  readonly budget: CompileBudget;
}

/** One type of rule. */
export interface RuleKind {
  /** The names of its members, in addition to those of every rule. */
  readonly members: readonly string[];
  /** @throws InvalidCriteriaError for a member that cannot be used */
  readonly compile: (rule: PlainObject, path: string, compiler: RuleCompiler) => RuleCheck;
}

/** @param validator checks outputs against schemas in place of ours */
export function createRuleEngines(validator?: Pick<SchemaValidator, 'validate'>): RuleEngines {
  const patterns = new PatternCache();
  if (validator === undefined) return { patterns, schemas: createSchemaValidator() };
  const compile = (schema: unknown): SchemaCheck => ({
    validate: (data) => validator.validate(schema, data),
  });
  return { patterns, schemas: { compile } };
}

/** For all criteria of one document, which share one budget. */
export function createRuleCompiler(): RuleCompiler {
  return { ...createRuleEngines(), budget: new CompileBudget() };
}

interface Expense {
  /** Equal for equal sources; the order of members counts. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
  readonly path: string;
}

// About a second: some thousand regular expressions, or some hundred schemas.
const MOST_TOGETHER = 300_000;

/** The budget of compilations for one document, or for the criteria of one step. */
export class CompileBudget {
  readonly #done = new Set<string>();
  #left = MOST_TOGETHER;

  /**
   * Does the work unless it costs more than is left. Work that has succeeded before is free.
   * @throws InvalidCriteriaError at the path
   */
  spend<Result>({ key, cost, path }: Expense, work: () => Result): Result {
    const price = this.#done.has(key) ? 0 : cost;
    if (price > this.#left) {
      throw new InvalidCriteriaError(
        path,
        'the regular expressions and schemas up to here are too large together; use fewer and smaller ones.',
      );
    }
    this.#left -= price;
    const result = work();
    this.#done.add(key);
    return result;
  }
}

/** The size is in instructions of some hundred bytes each. */
const BOUNDS = { max: 500, maxSize: 100_000 };
// Twice the largest possible counted repetition.
const MOST_INSTRUCTIONS = 5000;
// Measured for the shortest pattern.
const INSTRUCTIONS_PER_PATTERN = 20;
// An estimate exceeds the real size, but not by this factor.
const MOST_ESTIMATED = 4 * MOST_INSTRUCTIONS;

/** Compiles regular expressions, and caches the most recently used ones. */
export class PatternCache {
  readonly #patterns = new LRUCache<string, LinearPattern>(BOUNDS);

  /** @throws UnsupportedPatternError */
  compile(source: string, flags: string): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = compilePattern(source, flags);
    this.#patterns.set(key, pattern, { size: pattern.size });
    return pattern;
  }
}

/**
 * @param flags any of `imsu`; `u` is always on, because the engine works on whole characters only
 * @throws UnsupportedPatternError for an invalid regular expression, or one that cannot run in linear time
 */
export function compilePattern(source: string, flags: string): LinearPattern {
  const pattern = compileLinear(read(source, flags).translated, flags);
  if (pattern.size > MOST_INSTRUCTIONS) throw tooLarge(String(pattern.size));
  return pattern;
}

/**
 * The maximum cost of compiling a regular expression, in instructions.
 * @throws UnsupportedPatternError if the cost exceeds every budget
 */
function costOfPattern(source: string, flags: string): number {
  return INSTRUCTIONS_PER_PATTERN + read(source, flags).cost;
}

function read(source: string, flags: string): { readonly translated: string; readonly cost: number } {
  const translated = translatePattern(source, flags, true);
  const cost = patternCost(translated, flags.includes('i'));
  // The engine would create all of the instructions before it counts them
  if (cost > MOST_ESTIMATED) throw tooLarge(`up to ${Math.round(cost)}`);
  return { translated, cost };
}

function tooLarge(size: string): UnsupportedPatternError {
  return new UnsupportedPatternError(
    `is too large: it takes ${size} instructions, of ${MOST_INSTRUCTIONS} at most; use smaller repeat counts`,
  );
}

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

function compile(schema: unknown, path: string, { schemas, budget }: RuleCompiler): SchemaCheck {
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

function checkBySchema(schema: SchemaCheck, { json }: OutputSubject): RuleFault | undefined {
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
export function schemaCost(schema: unknown): Omit<Expense, 'path'> {
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
