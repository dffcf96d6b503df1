import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { FeatureLossWarning } from '../loss/feature-loss.ts';

export type ConversionDirection =
  'toCanonical' | 'fromCanonical' | 'toCanonicalProvider' | 'fromCanonicalProvider';

export type ConversionCode =
  | 'INVALID_INPUT'
  | 'NAME_REQUIRED'
  | 'INVALID_SCHEMA'
  | 'SCHEMA_TOO_LARGE'
  | 'EXTERNAL_REF'
  | 'ROOT_NOT_OBJECT'
  | 'UNMERGEABLE_ALL_OF'
  | 'RECURSIVE_SCHEMA'
  | 'MULTIPLE_DECLARATIONS'
  | 'AGENT_CARD_NEEDS_PROVIDER'
  | 'MISSING_CARD_FIELD'
  | 'MISSING_INTERFACES'
  | 'LOSS_NOT_ALLOWED'
  | 'DUPLICATE_TOOL'
  | 'NAME_COLLISION';

/** What a conversion failed on. */
export interface ConversionFault {
  readonly adapter: string;
  readonly direction: ConversionDirection;
  /** An RFC 6901 pointer to the fault; `""` for the whole. */
  readonly path: string;
  /** The error behind it, or what is wrong as a sentence. */
  readonly cause: unknown;
  /** What would be lost, where that is the fault. */
  readonly warnings?: readonly FeatureLossWarning[];
}

const FIXES: Readonly<Record<ConversionCode, string>> = {
  INVALID_INPUT: 'give the adapter what its format calls a tool',
  NAME_REQUIRED: 'give the tool a name',
  INVALID_SCHEMA: 'give an object or a boolean that JSON Schema 2020-12 or draft-07 allows',
  SCHEMA_TOO_LARGE: 'split the tool, or refer to shared parts in $defs instead of repeating them',
  EXTERNAL_REF: 'copy what is referred to into $defs and refer to "#/$defs/<name>"',
  ROOT_NOT_OBJECT: 'make every alternative at the root of inputSchema an object with properties',
  UNMERGEABLE_ALL_OF: 'write the merged schema yourself, or convert without strict',
  RECURSIVE_SCHEMA: 'cut the recursion at a fixed depth, or convert to a variant that allows it',
  MULTIPLE_DECLARATIONS: 'pass it through splitDeclarations and convert each of the results',
  AGENT_CARD_NEEDS_PROVIDER: 'read the card with toCanonicalProvider; its skills are in the result',
  MISSING_CARD_FIELD: 'add the field that is named',
  MISSING_INTERFACES: 'give supportedInterfaces: [{ url, protocolBinding, protocolVersion }]',
  LOSS_NOT_ALLOWED: "list what may be lost in ignore, or convert with onLoss: 'warn'",
  DUPLICATE_TOOL: 'give one of the tools another name, namespace or version',
  NAME_COLLISION: 'give one of the tools another name',
};

/**
 * Thrown when something cannot be converted at all. Its message is `<adapter> <direction>: <cause>`.
 *
 * @example
 * try {
 *   defaultRegistry().convert(tool, 'mcp', 'anthropic', { strict: true });
 * } catch (error) {
 *   if (error instanceof ConversionError) console.error(error.code, error.path);
 * }
 */
export class ConversionError extends ToolwrightError<ConversionCode> {
  readonly adapter: string;
  readonly direction: ConversionDirection;
  readonly path: string;
  /** What would be lost, for `LOSS_NOT_ALLOWED`; else empty. */
  readonly warnings: readonly FeatureLossWarning[];

  constructor(code: ConversionCode, fault: ConversionFault) {
    const { adapter, direction, path, cause, warnings = [] } = fault;
    const text = cause instanceof Error ? cause.message : String(cause);
    super(code, {
      where: path === '' ? 'the input' : path,
      what: text,
      // A reference to nothing asks for something else than a schema that is none
      fix: cause instanceof InvalidSchemaError ? cause.fix : FIXES[code],
      cause,
      message: `${adapter} ${direction}: ${text}`,
    });
    this.name = 'ConversionError';
    this.adapter = adapter;
    this.direction = direction;
    this.path = path;
    this.warnings = Object.freeze([...warnings]);
  }
}
