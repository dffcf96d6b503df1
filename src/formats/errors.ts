import { ToolwrightError, type ErrorFacts } from '../errors/toolwright-error.ts';
import { InvalidSchemaError } from '../schema/schema-errors.ts';
import { describeValue } from '../shared/describe-value.ts';
import type { FeatureLossWarning } from './losses.ts';

/** What an adapter was doing. */
export type ConversionDirection =
  | 'toCanonical'
  | 'fromCanonical'
  | 'toCanonicalProvider'
  | 'fromCanonicalProvider';

/** Why something cannot be converted. */
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
  /** The name of the adapter. */
  readonly adapter: string;
  /** Whether the adapter was reading or writing. */
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
  /** The name of the adapter. */
  readonly adapter: string;
  /** Whether the adapter was reading or writing. */
  readonly direction: ConversionDirection;
  /** Where in the tool the fault is, as a JSON pointer; empty for the tool as a whole. */
  readonly path: string;
  /** What would be lost, for `LOSS_NOT_ALLOWED`; else empty. */
  readonly warnings: readonly FeatureLossWarning[];

  /** The framework creates it. */
  constructor(code: ConversionCode, fault: ConversionFault) {
    const { adapter, direction, path, cause, warnings = [] } = fault;
    const text = cause instanceof Error ? cause.message : String(cause);
    super(code, {
      where: path === '' ? 'the input' : path,
      what: text,
      // A reference without a target needs another fix than an invalid schema
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

/** The conversion in progress, as its errors describe it. */
export class Conversion {
  constructor(
    readonly adapter: string,
    readonly direction: ConversionDirection,
  ) {}

  /** @param cause the error behind it, or what is wrong as a sentence */
  fail(code: ConversionCode, path: string, cause: unknown): never {
    throw new ConversionError(code, { adapter: this.adapter, direction: this.direction, path, cause });
  }
}

const LONGEST = 128;
const SHOWN = 80;

/** Thrown for text that is not a tool id. */
export class InvalidToolIdError extends ToolwrightError<'INVALID_TOOL_ID'> {
  /** The framework creates it. */
  constructor(id: unknown) {
    super('INVALID_TOOL_ID', {
      where: describeValue(id),
      what: 'is not the id of a tool.',
      fix: 'write name, namespace:name or namespace:name:version',
    });
    this.name = 'InvalidToolIdError';
  }
}

/** Why something cannot be a tool. */
export type InvalidToolCode =
  | 'NAME_REQUIRED'
  | 'NAME_TOO_LONG'
  | 'NAME_INVALID_CHARS'
  | 'INPUT_SCHEMA_REQUIRED';

type Facts = Pick<ErrorFacts, 'what' | 'fix'>;

const TOOL_FACTS: Readonly<Record<InvalidToolCode, Facts>> = {
  NAME_REQUIRED: { what: 'has no name.', fix: 'give it a name' },
  NAME_TOO_LONG: {
    what: `has a name of more than ${String(LONGEST)} characters.`,
    fix: 'shorten the name, and put the rest into the title',
  },
  NAME_INVALID_CHARS: {
    what: 'has a name with characters that are not allowed',
    fix: 'use ASCII letters, digits, "_", "." and "-"',
  },
  INPUT_SCHEMA_REQUIRED: { what: 'has no inputSchema.', fix: "inputSchema: { type: 'object' }" },
};

/** What a refused tool has that it should not have. */
export interface InvalidToolDetails {
  /** Each once, in the order in which they first appear in the name; empty for other codes. */
  readonly invalidChars: readonly string[];
}

/** Thrown for something that cannot be a tool. */
export class InvalidToolError extends ToolwrightError<InvalidToolCode> {
  /** The characters that the name must not have. */
  readonly details: InvalidToolDetails;

  /** The framework creates it. */
  constructor(code: InvalidToolCode, name: unknown, invalidChars: readonly string[] = []) {
    const { what, fix } = TOOL_FACTS[code];
    const list = invalidChars.map((character) => JSON.stringify(character)).join(', ');
    super(code, {
      where:
        typeof name === 'string' && name !== '' ? `tool ${JSON.stringify(name.slice(0, SHOWN))}` : 'the tool',
      what: list === '' ? what : `${what}: ${list}.`,
      fix,
    });
    this.name = 'InvalidToolError';
    this.details = Object.freeze({ invalidChars: Object.freeze([...invalidChars]) });
  }
}

/** What a binding lacks. */
export type InvalidBackendCode =
  | 'SERVER_NAME_REQUIRED'
  | 'PROVIDER_REQUIRED'
  | 'PROVIDER_ID_REQUIRED'
  | 'TOOL_ID_REQUIRED'
  | 'LOCAL_NAME_REQUIRED'
  | 'UNKNOWN_BACKEND_KIND';

const BACKEND_FACTS: Readonly<Record<InvalidBackendCode, Facts>> = {
  SERVER_NAME_REQUIRED: { what: 'does not name its server.', fix: "mcpBackend('server')" },
  PROVIDER_REQUIRED: { what: 'does not name its provider.', fix: "providerBackend('provider', 'tool')" },
  PROVIDER_ID_REQUIRED: { what: 'has no providerId.', fix: "providerBackend('provider', 'tool')" },
  TOOL_ID_REQUIRED: { what: 'has no toolId.', fix: "providerBackend('provider', 'tool')" },
  LOCAL_NAME_REQUIRED: { what: 'has no name.', fix: "localBackend('name')" },
  UNKNOWN_BACKEND_KIND: {
    what: 'is of a kind that does not exist.',
    fix: 'use mcpBackend, providerBackend or localBackend',
  },
};

/** Thrown for a binding that does not say what it binds to. */
export class InvalidBackendError extends ToolwrightError<InvalidBackendCode> {
  /** @param kind what was given as a kind, for one that does not exist */
  constructor(code: InvalidBackendCode, kind?: unknown) {
    const facts = BACKEND_FACTS[code];
    const what =
      typeof kind === 'string'
        ? `is of the kind ${JSON.stringify(kind.slice(0, SHOWN))}, which does not exist.`
        : facts.what;
    super(code, { where: 'the backend', ...facts, what });
    this.name = 'InvalidBackendError';
  }
}

/** Thrown when a registry has an adapter of that name already. */
export class DuplicateAdapterError extends ToolwrightError<'DUPLICATE_ADAPTER'> {
  /** The framework creates it. */
  constructor(name: string) {
    super('DUPLICATE_ADAPTER', {
      where: `the adapter "${name}"`,
      what: 'is registered already.',
      fix: `unregister("${name}") before, or give yours another name`,
    });
    this.name = 'DuplicateAdapterError';
  }
}

/** Thrown when a registry has no adapter of that name. */
export class AdapterNotFoundError extends ToolwrightError<'ADAPTER_NOT_FOUND'> {
  /** The framework creates it; the message has the nearest known name. */
  constructor(name: string, known: readonly string[]) {
    const list = known.length === 0 ? 'nothing is registered' : `registered: ${known.join(', ')}`;
    super('ADAPTER_NOT_FOUND', {
      where: `the adapter "${name}"`,
      what: `is not registered (${list}).`,
      fix: 'use one of the registered names, or register(…) the adapter before',
    });
    this.name = 'AdapterNotFoundError';
  }
}

/** Thrown when a frozen registry should change. */
export class RegistryFrozenError extends ToolwrightError<'REGISTRY_FROZEN'> {
  /** The framework creates it. */
  constructor(name: string) {
    super('REGISTRY_FROZEN', {
      where: `the adapter "${name}"`,
      what: 'came too late: the registry is frozen.',
      why: 'what an application converts must not change while it runs.',
      fix: 'change the registry before freeze(), or make your own with createRegistry()',
    });
    this.name = 'RegistryFrozenError';
  }
}
