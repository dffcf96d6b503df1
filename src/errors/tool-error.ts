import { hasBrand } from '../shared/error-shape.ts';

const BRAND = Symbol.for('toolwright:tool-error');

/** What a {@link ToolError} may send to the client beside its message. */
export interface ToolErrorFacts {
  /** What the caller can do about it. */
  readonly suggestion?: string;
  /** The actions that the caller may choose from. */
  readonly availableActions?: readonly string[];
  /** Anything that JSON can carry; it is sent to the client. */
  readonly details?: unknown;
  /** Seconds after which a retry makes sense; a value that is not a finite number ≥ 0 is left out. */
  readonly retryAfter?: number;
  /** Why, for the log. It never reaches the client. */
  readonly cause?: unknown;
}

/**
 * An error whose code, message and facts are meant for the client.
 * Every other error that a handler throws keeps all but its message inside the process.
 *
 * @example
 * throw new ToolError('ORDER_CLOSED', 'The order is closed', { suggestion: 'reopen it first' });
 */
export class ToolError extends Error {
  /** The code that the client gets. */
  readonly code: string;
  /** What the client gets in addition to code and message. */
  readonly facts: Omit<ToolErrorFacts, 'cause'>;
  protected readonly [BRAND] = true;

  /** The error that the client gets; `cause` goes to the log only. */
  constructor(code: string, message: string, { cause, ...facts }: ToolErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ToolError';
    this.code = code;
    this.facts = facts;
  }

  /** Recognises the errors of every installed copy of the package. */
  static is(value: unknown): value is ToolError {
    return hasBrand(value, BRAND);
  }
}
