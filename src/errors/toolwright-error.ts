import { hasBrand } from '../shared/error-shape.ts';
import type { ErrorCode } from './catalogue.ts';

const BRAND = Symbol.for('toolwright:error');

/** The facts of one mistake: where it is, what is wrong, why, and what to write instead. */
export interface ErrorFacts {
  /** `Class.member`, or the name of the thing that is wrong. */
  readonly where: string;
  /** What is wrong, as the rest of a sentence that begins with `where`. */
  readonly what: string;
  /** Why it is wrong, where that is not obvious. */
  readonly why?: string | undefined;
  /** What to paste, or to do. */
  readonly fix: string;
  /** The error that led to this one, for the log. */
  readonly cause?: unknown;
  /** The whole message, where its wording is part of the public contract. */
  readonly message?: string;
}

/**
 * The base class of every error of the framework.
 *
 * @example
 * try { await McpApplication.create(AppModule); }
 * catch (error) { if (ToolwrightError.is(error)) console.error(error.code, error.fix); }
 */
export class ToolwrightError<Code extends string = ErrorCode> extends Error {
  // Not fields: Node prints the fields of an uncaught error below its message, which says all of this already.
  readonly #code: Code;
  readonly #facts: ErrorFacts;

  /** Creates the error with the message `CODE: where what`, then a `why:` and a `fix:` line. */
  constructor(code: Code, facts: ErrorFacts) {
    super(
      facts.message ?? formatFacts(code, facts),
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    this.#code = code;
    this.#facts = facts;
    this.name = 'ToolwrightError';
  }

  /** The code of the error; `docs/errors.md` explains each. */
  get code(): Code {
    return this.#code;
  }

  /** `Class.member`, or the name of the thing that is wrong. */
  get where(): string {
    return this.#facts.where;
  }

  /** What is wrong, as the rest of a sentence that begins with `where`. */
  get what(): string {
    return this.#facts.what;
  }

  /** Why it is wrong; undefined where that is obvious. */
  get why(): string | undefined {
    return this.#facts.why;
  }

  /** What to write or to do instead. */
  get fix(): string {
    return this.#facts.fix;
  }

  protected get [BRAND](): true {
    return true;
  }

  /** The facts of the error, without its message, stack and cause. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { code, where, what, why, fix } = this;
    return { code, where, what, why, fix, ...(this as object) };
  }

  /** Recognises the errors of every installed copy of the package, which `instanceof` does not. */
  static is(value: unknown): value is ToolwrightError {
    return hasBrand(value, BRAND);
  }
}

/**
 * Remembers who called `entry`, and lets an error that is found later point there instead of into the framework.
 * Where the caller awaits, Node shows the line of the call above the message.
 */
export function rememberCaller(entry: (...args: never[]) => unknown): (thrown: unknown) => unknown {
  const caller = stackAbove(entry);
  return (thrown) => {
    if (!ToolwrightError.is(thrown)) return thrown;
    // Captured on another object, because V8 discards the call site of an error whose stack has been read
    if (stackAbove(entry).includes('\n    at async ')) Error.captureStackTrace(thrown, entry);
    else thrown.stack = `${thrown.name}: ${thrown.message}${caller.slice(caller.indexOf('\n'))}`;
    return thrown;
  };
}

function stackAbove(entry: (...args: never[]) => unknown): string {
  const place = { stack: '' };
  Error.captureStackTrace(place, entry);
  return place.stack;
}

/** `CODE: where what`, then a `why:` and a `fix:` line. */
export function formatFacts(code: string, facts: Omit<ErrorFacts, 'cause'>): string {
  const lines = [`${code}: ${facts.where} ${facts.what}`];
  if (facts.why !== undefined) lines.push(`  why: ${facts.why}`);
  lines.push(`  fix: ${facts.fix}`);
  return lines.join('\n');
}
