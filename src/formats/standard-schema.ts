import { pointTo, tokensOf, valueAt } from '../schema/pointer.ts';
import type { ValidationError } from '../schema/validator/foreign-schema.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import type { StandardSchema } from '../shared/schema-source.ts';
import type { SchemaValidator } from './schema-validator.ts';

/**
 * A JSON Schema that a validator of yours checks, for every place that takes a schema: inputs and outputs of actions,
 * prompts and resources, `createTool()` and the registry. It is published as it is, and no defaults are filled in. Your validator is
 * asked about values that the schema does not surely refuse.
 *
 * @example
 * const lenient = { validate: () => ({ valid: true, errors: [] }) };
 * const input = toStandardSchema({ type: 'object', properties: { text: { type: 'string' } } }, lenient);
 * createTool('echo').action({ name: 'say', input, handler: () => 'said' });
 */
export function toStandardSchema(
  schema: JsonSchema,
  validator: Pick<SchemaValidator, 'validate'>,
): StandardSchema {
  const publish = (): JsonSchema => schema;
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1,
      vendor: 'toolwright',
      jsonSchema: Object.freeze({ input: publish, output: publish }),
      validate: (value: unknown) => {
        const { valid, errors } = validator.validate(schema, value);
        return valid ? { value } : { issues: errors.map((error) => issueOf(error, value)) };
      },
    }),
  } satisfies StandardSchema);
}

function issueOf({ path, message, params }: ValidationError, value: unknown): object {
  const tokens = tokensOf(path) ?? [];
  const keys = tokens.map((token, depth) => {
    const outer = valueAt(value, pointTo('', ...tokens.slice(0, depth)));
    return Array.isArray(outer) ? Number(token) : token;
  });
  const missing = params['missingProperty'];
  return { message, path: typeof missing === 'string' ? [...keys, missing] : keys };
}
