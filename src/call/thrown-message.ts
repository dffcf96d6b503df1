import { inspect } from '../shared/platform.ts';

/** The message of anything thrown; never its stack, code or data. It does not throw, whatever was thrown. */
export function thrownMessage(thrown: unknown): string {
  try {
    const message: unknown =
      typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : undefined;
    if (typeof message === 'string' && message !== '') return message;
    if (thrown instanceof Error)
      return typeof thrown.name === 'string' && thrown.name !== '' ? thrown.name : 'Error';
    if (typeof thrown === 'string' && thrown !== '') return thrown;
    return `what was thrown is not an Error but ${describe(thrown)}`;
  } catch {
    return 'unknown error';
  }
}

/** The name of an error; undefined for what is none, or does not say. */
export function thrownName(thrown: unknown): unknown {
  try {
    return thrown instanceof Error ? thrown.name : undefined;
  } catch {
    return undefined;
  }
}

// The content of an object is data, and that of a function is source text: neither may leave the process
function describe(thrown: unknown): string {
  if (thrown === '') return 'an empty text';
  if (typeof thrown === 'function') return 'a function';
  return typeof thrown === 'object' && thrown !== null ? 'an object without a message' : String(thrown);
}

/** A value for a log. It does not throw, though getters and proxies in the value may. */
export function showValue(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return '(cannot be shown)';
  }
}
