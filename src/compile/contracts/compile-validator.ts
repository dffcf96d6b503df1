import { _, str } from 'ajv';
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { addFastKeywords } from '../../schema/fast-keywords.ts';
import { addFormats } from '../../schema/known-formats.ts';
import { Meter } from '../../schema/meter.ts';
import { boundPattern, type BoundedPattern } from '../../schema/patterns/bounded-pattern.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { addErrorCount, firstErrors, withErrorCount } from './count-errors.ts';
import { createBranchJudge, type BranchJudge } from './judge-branches.ts';

/** A JSON Schema, compiled once. */
export interface SchemaValidator {
  /** Gives what is wrong, the first of it; where it fills in defaults, it changes the value it gets. */
  readonly validate: (value: unknown) => readonly ErrorObject[];
  readonly branchesOf: BranchJudge;
  /** Patterns that may hold up the server for a long text. */
  readonly unboundedPatterns: readonly string[];
}

const OPTIONS: Options = {
  strict: false,
  verbose: true,
  logger: false,
  // fields may be named like members that every object has
  ownProperties: true,
};

// Compiling the schema of schemas takes longer than all the rest, so one instance does it for all, made for the
// first schema. It only judges and keeps nothing of what it has seen; compiled schemas stay with the instance of
// their contract.
let dialect: Ajv2020 | undefined;

/**
 * Compiles a JSON Schema, to end at the first error. What else is wrong is asked of a second form, which is compiled
 * for the first value that is refused, and ends at the number of errors that are shown.
 */
export function compileValidator(
  schema: JsonSchema,
  where: string,
  useDefaults: boolean,
  most?: number,
): SchemaValidator {
  try {
    dialect ??= createAjv({}, new Map());
    void dialect.validateSchema(schema, true);
    const patterns: Patterns = new Map();
    const validate = createAjv({ useDefaults, ...TRUSTED }, patterns).compile(schema);
    const counted = createCounted(schema, patterns, most);
    return {
      validate: (value) => {
        if (validate(value)) return [];
        const errors = counted().validate(value);
        return errors.length > 0 ? errors : (validate.errors ?? []);
      },
      branchesOf: (error) => counted().branchesOf(error),
      unboundedPatterns: [...patterns].filter(([, { isBounded }]) => !isBounded).map(([source]) => source),
    };
  } catch (cause) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_INVALID', {
      where,
      what: `has a JSON Schema that is not valid: ${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: 'correct the schema (JSON Schema 2020-12)',
      cause,
    });
  }
}

const TRUSTED: Options = { meta: false, validateSchema: false };

type Counted = Pick<SchemaValidator, 'validate' | 'branchesOf'>;

function createCounted(schema: JsonSchema, patterns: Patterns, most?: number): () => Counted {
  let made: Counted | undefined;
  const make = (): Counted => {
    const marked = withErrorCount(schema);
    const create = (): Ajv2020 => addErrorCount(createAjv({ ...TRUSTED, allErrors: true }, patterns), most);
    const validate = create().compile(marked);
    const judge = createBranchJudge(marked, create);
    return {
      validate: (value) => firstErrors(() => (validate(value) ? [] : (validate.errors ?? []))),
      branchesOf: judge,
    };
  };
  return () => (made ??= make());
}

/** The patterns of a schema by their source, and how long the texts may be that they are asked about. */
type Patterns = Map<string, BoundedPattern>;

function createAjv(options: Options, patterns: Patterns): Ajv2020 {
  const regExp = (source: string, flags: string): RegExp => {
    const { test } = patternOf(source, undefined, patterns);
    // what ajv takes for a regular expression, and keeps by its name
    return { test, toString: () => `/${source}/${flags}` } as unknown as RegExp;
  };
  const ajv = new Ajv2020({
    ...OPTIONS,
    ...options,
    code: { regExp: Object.assign(regExp, { code: 'patterns' }) },
  });
  addFormats(ajv);
  addFastKeywords(ajv, new Meter(Number.POSITIVE_INFINITY));
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: {
      message: ({ schemaCode }) => str`must match pattern "${schemaCode}"`,
      params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
    },
    code: (cxt) => {
      const test = testOf(cxt.schema as string, cxt.parentSchema, patterns);
      cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: test })}(${cxt.data})`);
    },
  });
  return ajv;
}

/** A text that is too long by far is refused for that alone; a character takes one or two units. */
function testOf(source: string, { maxLength }: JsonSchema, patterns: Patterns): (text: string) => boolean {
  if (typeof maxLength !== 'number') return patternOf(source, undefined, patterns).test;
  const longest = 2 * maxLength;
  const { test } = patternOf(source, longest, patterns);
  return (text) => text.length > longest || test(text);
}

function patternOf(source: string, longest: number | undefined, patterns: Patterns): BoundedPattern {
  const key = longest === undefined ? source : `${source} up to ${String(longest)}`;
  const pattern = patterns.get(key) ?? boundPattern(new RegExp(source, 'u'), longest);
  patterns.set(key, pattern);
  return pattern;
}
