import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** Where in a schema the fault is, as an RFC 6901 pointer, and what it is. */
export interface SchemaFault {
  readonly path: string;
  readonly what: string;
  readonly cause?: unknown;
}

const placeOf = (path: string): string => (path === '' ? 'the schema' : `the schema at ${path}`);

/** Thrown for something that is no JSON Schema, or that refers to something that is not there. */
export class InvalidSchemaError extends ToolwrightError<'INVALID_SCHEMA'> {
  readonly path: string;

  constructor({ path, what, cause }: SchemaFault) {
    super('INVALID_SCHEMA', {
      where: placeOf(path),
      what,
      fix: 'give an object or a boolean that JSON Schema 2020-12 or draft-07 allows',
      cause,
    });
    this.name = 'InvalidSchemaError';
    this.path = path;
  }
}

/** Thrown for a `$schema` other than those of 2020-12 and draft-07. */
export class UnsupportedDialectError extends ToolwrightError<'UNSUPPORTED_DIALECT'> {
  readonly path: string;

  constructor({ path, what, cause }: SchemaFault) {
    super('UNSUPPORTED_DIALECT', {
      where: placeOf(path),
      what,
      fix: 'use https://json-schema.org/draft/2020-12/schema, or leave out $schema, which means the same',
      cause,
    });
    this.name = 'UnsupportedDialectError';
    this.path = path;
  }
}

/** Thrown for a reference that leaves its document. Nothing is ever fetched. */
export class ExternalRefError extends ToolwrightError<'EXTERNAL_REF'> {
  readonly path: string;

  constructor({ path, what, cause }: SchemaFault) {
    super('EXTERNAL_REF', {
      where: placeOf(path),
      what,
      why: 'a schema that comes from elsewhere must not make this process load documents.',
      fix: 'copy what is referred to into $defs and refer to "#/$defs/<name>"',
      cause,
    });
    this.name = 'ExternalRefError';
    this.path = path;
  }
}

/** Thrown for a regular expression that needs backtracking. */
export class UnsafePatternError extends ToolwrightError<'UNSUPPORTED_PATTERN'> {
  readonly path: string;

  constructor({ path, what, cause }: SchemaFault) {
    super('UNSUPPORTED_PATTERN', {
      where: placeOf(path),
      what,
      why: 'the pattern of an untrusted schema has to run in linear time.',
      fix: 'write it without look-around, back-references and repeat counts above 1000',
      cause,
    });
    this.name = 'UnsafePatternError';
    this.path = path;
  }
}

/** Thrown for a schema beyond 1 MiB of JSON, 100 levels or 50 000 nodes. */
export class SchemaTooLargeError extends ToolwrightError<'SCHEMA_TOO_LARGE'> {
  readonly path: string;

  constructor({ path, what, cause }: SchemaFault) {
    super('SCHEMA_TOO_LARGE', {
      where: placeOf(path),
      what,
      why: 'a schema of a stranger must not exhaust this process.',
      fix: 'split the tool, or refer to shared parts in $defs instead of repeating them',
      cause,
    });
    this.name = 'SchemaTooLargeError';
    this.path = path;
  }
}
