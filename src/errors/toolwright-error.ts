import { hasBrand } from '../shared/has-brand.ts';
import type { ErrorCode } from './catalogue.ts';

const BRAND = Symbol.for('toolwright:error');

/** The facts of one mistake: where it is, what is wrong, why, and what to write instead. */
export interface ErrorFacts {
  /** `Class.member`, or the name of the thing that is wrong. */
  readonly where: string;
  /** What is wrong, as the rest of a sentence that begins with `where`. */
  readonly what: string;
  readonly why?: string | undefined;
  /** Something that can be pasted or done. */
  readonly fix: string;
  readonly cause?: unknown;
  /** The whole message, where its wording is part of the public contract. */
  readonly message?: string;
}

/**
 * The base of every error the framework throws.
 *
 * @example
 * try { await McpApplication.create(AppModule); }
 * catch (error) { if (ToolwrightError.is(error)) console.error(error.code, error.fix); }
 */
export class ToolwrightError<Code extends string = ErrorCode> extends Error {
  readonly code: Code;
  readonly where: string;
  readonly what: string;
  readonly why: string | undefined;
  readonly fix: string;
  protected readonly [BRAND] = true;

  constructor(code: Code, facts: ErrorFacts) {
    super(
      facts.message ?? formatFacts(code, facts),
      facts.cause === undefined ? undefined : { cause: facts.cause },
    );
    this.name = 'ToolwrightError';
    this.code = code;
    this.where = facts.where;
    this.what = facts.what;
    this.why = facts.why;
    this.fix = facts.fix;
  }

  /** Recognises the errors of every installed copy of the package, which `instanceof` does not. */
  static is(value: unknown): value is ToolwrightError {
    return hasBrand(value, BRAND);
  }
}

/** `CODE: where what`, then a `why:` and a `fix:` line. */
export function formatFacts(code: string, facts: Omit<ErrorFacts, 'cause'>): string {
  const lines = [`${code}: ${facts.where} ${facts.what}`];
  if (facts.why !== undefined) lines.push(`  why: ${facts.why}`);
  lines.push(`  fix: ${facts.fix}`);
  return lines.join('\n');
}
