import { isClass } from '../shared/class-type.ts';
import { isPlainObject } from '../shared/json.ts';
import { isStandardSchema, type SchemaSource, type StandardSchema } from '../shared/schema-source.ts';
import { isDto, validatedProperties } from '../shape/validation-metadata.ts';

/** The names of a schema's fields; undefined when they cannot be told without compiling it. */
export function knownFields(source: SchemaSource): readonly string[] | undefined {
  if (isStandardSchema(source)) return propertiesOf(jsonSchemaOf(source));
  if (isClass(source)) return isDto(source) ? validatedProperties(source) : undefined;
  return propertiesOf(source);
}

function jsonSchemaOf(schema: StandardSchema): unknown {
  try {
    return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  } catch {
    // Compile reports what has no JSON Schema
    return undefined;
  }
}

function propertiesOf(schema: unknown): readonly string[] | undefined {
  if (!isPlainObject(schema)) return undefined;
  const isWhole = !['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', 'if', 'patternProperties'].some(
    (keyword) => Object.hasOwn(schema, keyword),
  );
  const { properties } = schema as { readonly properties?: unknown };
  return isWhole && isPlainObject(properties) ? Object.keys(properties) : undefined;
}
