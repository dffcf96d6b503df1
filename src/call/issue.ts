import { inspect } from 'node:util';

/** One thing that is wrong with the input or output of a call. */
export interface Issue {
  /** Names joined with dots, array indices as numbers; empty for the whole value. */
  readonly path: string;
  readonly message: string;
  /** The type, the allowed values, the bound or the format. */
  readonly expected?: string;
  /** The JSON type and, for scalars, the value cut at 50 characters; `nothing` when missing. */
  readonly received?: string;
  /** The nearest accepted name, when a name was wrong. */
  readonly suggestion?: string;
  /** The fields that would have been accepted, when a field was unknown. */
  readonly accepted?: readonly string[];
}

/** Something was thrown while a value was checked. It is for the log: the caller can do nothing about it. */
export interface CheckFailure {
  readonly error: unknown;
  /** Whose code threw: a rule of a DTO or schema, or what the framework made of them. */
  readonly by: 'rule' | 'framework';
}

/** The answer of a check: the value to use, or everything that is wrong. */
export type CheckOutcome<T = unknown> = { readonly failure?: CheckFailure | undefined } & (
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly Issue[] }
);

const LONGEST_QUOTE = 50;

/** Describes a received value for a caller that has to repair it. */
export function describeReceived(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  return `${typeof value} ${typeof value === 'string' ? quoteText(value) : cutText(inspect(value))}`;
}

/** A text of a caller in quotes, as messages show it. */
export function quoteText(text: string): string {
  return JSON.stringify(cutText(text));
}

/** At most 50 characters of a text. */
export function cutText(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
