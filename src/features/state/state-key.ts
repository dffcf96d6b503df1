import type { StateKey } from '../../call/tool-context.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import { required, rule, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';

const DAY = 24 * 60 * 60_000;
const DEFAULT_TTL = 30 * DAY;
const DEFAULT_MAX_BYTES = 64 * 1024;
/** Bytes that all values of one caller may have together. */
export const MAX_BYTES_PER_OWNER = 1024 * 1024;

/** How long and how large what is kept under a {@link StateKey} may be. */
export interface StateKeyOptions {
  /** Milliseconds that a value is kept after it was last written. Default 30 days. */
  readonly ttl?: number;
  /** Bytes of a value as JSON, at most 1 MiB: all that is kept for one caller has that much. Default 64 KiB. */
  readonly maxBytes?: number;
}

const RULES: OptionRules<StateKeyOptions & { readonly name: string }> = {
  name: required(
    rule(
      'a text of 1 to 100 letters of ASCII, digits, "_", "." and "-"',
      (value) => typeof value === 'string' && /^[\w.-]{1,100}$/.test(value),
    ),
  ),
  ttl: wholeNumber(1),
  maxBytes: wholeNumber(1, MAX_BYTES_PER_OWNER),
};

/**
 * Makes a key for `ctx.state()`. Keys of one name are the same key, in every process of the application.
 *
 * @param name says what is kept; an application that changes the form of a value gives it another name
 * @throws ToolwrightError `TW_CONTEXT_VALUE`
 * @example
 * const READ = createStateKey<readonly string[]>('read-files', { ttl: 24 * 60 * 60_000 });
 */
export function createStateKey<T>(name: string, options: StateKeyOptions = {}): StateKey<T> {
  refuseOptions('TW_CONTEXT_VALUE', 'createStateKey()', { ...options, name }, RULES);
  const { ttl = DEFAULT_TTL, maxBytes = DEFAULT_MAX_BYTES } = options;
  return Object.freeze({ name, ttl, maxBytes });
}
