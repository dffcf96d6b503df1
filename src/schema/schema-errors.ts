import { ToolwrightError, type ErrorFacts } from '../errors/toolwright-error.ts';

/** A fault in a schema, and its place as an RFC 6901 pointer. */
export interface SchemaFault {
  /** Where in the schema the fault is, as a JSON pointer. */
  readonly path: string;
  /** The fault, as the rest of a sentence that begins with the place. */
  readonly what: string;
  /** A more specific fix than the general one of the error code. */
  readonly fix?: string;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** The base class of all errors about a schema. */
export abstract class SchemaError<Code extends string> extends ToolwrightError<Code> {
  /** Where in the schema the fault is, as a JSON pointer. */
  readonly path: string;

  /** The framework creates it. */
  constructor(code: Code, { path, what, cause }: SchemaFault, advice: Pick<ErrorFacts, 'why' | 'fix'>) {
    super(code, { where: path === '' ? 'the schema' : `the schema at ${path}`, what, cause, ...advice });
    this.path = path;
  }
}

/** Thrown for a value that is not a JSON Schema, or for a schema with a reference without a target. */
export class InvalidSchemaError extends SchemaError<'INVALID_SCHEMA'> {
  /** The framework creates it. */
  constructor(fault: SchemaFault) {
    super('INVALID_SCHEMA', fault, {
      fix: fault.fix ?? 'give an object or a boolean that JSON Schema 2020-12 or draft-07 allows',
    });
    this.name = 'InvalidSchemaError';
  }
}

/** Thrown for a `$schema` other than those of 2020-12 and draft-07. */
export class UnsupportedDialectError extends SchemaError<'UNSUPPORTED_DIALECT'> {
  /** The framework creates it. */
  constructor(fault: SchemaFault) {
    super('UNSUPPORTED_DIALECT', fault, {
      fix: 'use https://json-schema.org/draft/2020-12/schema, or leave out $schema, which means the same',
    });
    this.name = 'UnsupportedDialectError';
  }
}

/** Thrown for a reference that leaves its document. Nothing is ever fetched. */
export class ExternalRefError extends SchemaError<'EXTERNAL_REF'> {
  /** The framework creates it. */
  constructor(fault: SchemaFault) {
    super('EXTERNAL_REF', fault, {
      why: 'a schema that comes from elsewhere must not make this process load documents.',
      fix: 'copy what is referred to into $defs and refer to "#/$defs/<name>"',
    });
    this.name = 'ExternalRefError';
  }
}

/** Thrown for a regular expression that needs backtracking. */
export class UnsafePatternError extends SchemaError<'UNSUPPORTED_PATTERN'> {
  /** The framework creates it. */
  constructor(fault: SchemaFault) {
    super('UNSUPPORTED_PATTERN', fault, {
      why: 'the pattern of an untrusted schema has to run in linear time.',
      fix: 'write it without look-around, back-references and repeat counts above 1000',
    });
    this.name = 'UnsafePatternError';
  }
}

/** Thrown for a schema beyond 1 MiB of JSON, 100 levels or 50 000 nodes. */
export class SchemaTooLargeError extends SchemaError<'SCHEMA_TOO_LARGE'> {
  /** The framework creates it. */
  constructor(fault: SchemaFault) {
    super('SCHEMA_TOO_LARGE', fault, {
      why: 'a schema from elsewhere must not exhaust this process.',
      fix: 'split the tool, or refer to shared parts in $defs instead of repeating them',
    });
    this.name = 'SchemaTooLargeError';
  }
}
