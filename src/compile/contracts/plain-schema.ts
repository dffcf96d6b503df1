import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { deepCopy } from '../../shared/deep-freeze.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
// $async would turn every answer into a promise.
const DOCUMENT_KEYWORDS = new Set(['$id', '$async']);

/** An own copy of a JSON Schema, without the keywords that only name the document. */
export function plainSchema(source: unknown, where: string): JsonSchema {
  if (!isPlainObject(source)) throw unsupported(source, where);
  const { $schema, ...rest } = deepCopy(source) as JsonSchema;
  const schema = Object.fromEntries(
    Object.entries(rest).filter(([keyword]) => !DOCUMENT_KEYWORDS.has(keyword)),
  );
  if ($schema !== undefined && !(typeof $schema === 'string' && DIALECT.test($schema))) {
    throw new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
      where,
      what: `has a JSON Schema of another dialect: ${JSON.stringify($schema)}.`,
      why: 'clients and the check read JSON Schema 2020-12.',
      fix: 'write the schema in 2020-12 and leave $schema out',
    });
  }
  refuseForeignReferences(schema, where);
  return schema;
}

function unsupported(source: unknown, where: string): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_UNSUPPORTED', {
    where,
    what: `has a schema that is neither a class, a Standard Schema nor a JSON Schema: ${describeValue(source)}.`,
    why: 'an unknown kind of schema would publish an empty one and check nothing.',
    fix: 'pass a DTO class, a Standard Schema that gives JSON Schema (zod 4.2 or later), or a JSON Schema object',
  });
}

function refuseForeignReferences(schema: unknown, where: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const isReference = keyword === '$ref' && typeof value === 'string';
    if (isReference && !value.startsWith('#')) throw foreignReference(value, where);
    // these two hold data, in which $ref means nothing
    if (keyword !== 'const' && keyword !== 'enum') refuseForeignReferences(value, where);
  }
}

function foreignReference(reference: string, where: string): ToolwrightError {
  return new ToolwrightError('TW_COMPILE_SCHEMA_REFERENCE', {
    where,
    what: `has a JSON Schema that refers to "${reference}".`,
    why: 'a published schema has to stand alone; nothing is fetched.',
    fix: 'copy what it refers to into $defs and write "#/$defs/Name"',
  });
}
