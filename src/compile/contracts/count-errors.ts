import { _, Name } from 'ajv';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { MOST_MADE } from '../../call/issue.ts';
import { mapSchemas } from '../../schema/subschemas.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

type Errors = readonly ErrorObject[];

/** Thrown through generated code, with what it had found. */
class EnoughErrors extends Error {
  readonly errors: Errors;

  constructor(errors: Errors) {
    super('enough errors');
    this.errors = errors;
  }
}

const KEYWORD = 'toolwrightErrors';
// the list of errors in the functions that ajv generates
const FOUND = new Name('vErrors');

/** The schema with a keyword in each part of it that ends a check which has found enough. */
export function withErrorCount(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (one) => ({ ...one, [KEYWORD]: true }));
}

/** Each error takes longer than all that is right with an item, and a value may have a hundred thousand. */
export function addErrorCount(ajv: Ajv2020, most = MOST_MADE): Ajv2020 {
  const count = (errors: Errors | null): void => {
    if (errors !== null && errors.length >= most) throw new EnoughErrors(errors);
  };
  ajv.addKeyword({
    keyword: KEYWORD,
    schemaType: 'boolean',
    code: ({ gen }) => {
      gen.code(_`${gen.scopeValue('func', { ref: count })}(${FOUND})`);
    },
  });
  return ajv;
}

/** The errors that a check finds before it has found enough. */
export function firstErrors(check: () => Errors): Errors {
  try {
    return check();
  } catch (thrown) {
    if (thrown instanceof EnoughErrors) return thrown.errors;
    throw thrown;
  }
}
