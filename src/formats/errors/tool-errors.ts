import { ToolwrightError, type ErrorFacts } from '../../errors/toolwright-error.ts';
import { describeValue } from '../../shared/describe-value.ts';

const LONGEST = 128;
const SHOWN = 80;

/** Thrown for text that is no tool id. */
export class InvalidToolIdError extends ToolwrightError<'INVALID_TOOL_ID'> {
  constructor(id: unknown) {
    super('INVALID_TOOL_ID', {
      where: describeValue(id),
      what: 'is not the id of a tool.',
      fix: 'write name, namespace:name or namespace:name:version',
    });
    this.name = 'InvalidToolIdError';
  }
}

export type InvalidToolCode =
  'NAME_REQUIRED' | 'NAME_TOO_LONG' | 'NAME_INVALID_CHARS' | 'INPUT_SCHEMA_REQUIRED';

type Facts = Pick<ErrorFacts, 'what' | 'fix'>;

const TOOL_FACTS: Readonly<Record<InvalidToolCode, Facts>> = {
  NAME_REQUIRED: { what: 'has no name.', fix: 'give it a name' },
  NAME_TOO_LONG: {
    what: `has a name of more than ${String(LONGEST)} characters.`,
    fix: 'shorten the name; what it says can stand in the title',
  },
  NAME_INVALID_CHARS: {
    what: 'has a name with characters that are not allowed',
    fix: 'use letters of ASCII, digits, "_", "." and "-"',
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
  readonly details: InvalidToolDetails;

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

export type InvalidBackendCode =
  | 'SERVER_NAME_REQUIRED'
  | 'PROVIDER_REQUIRED'
  | 'PROVIDER_ID_REQUIRED'
  | 'TOOL_ID_REQUIRED'
  | 'LOCAL_NAME_REQUIRED'
  | 'UNKNOWN_BACKEND_KIND';

const BACKEND_FACTS: Readonly<Record<InvalidBackendCode, Facts>> = {
  SERVER_NAME_REQUIRED: { what: 'does not name its server.', fix: "mcpBackend('server')" },
  PROVIDER_REQUIRED: { what: 'names no provider.', fix: "providerBackend('provider', 'tool')" },
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
