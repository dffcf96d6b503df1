import { inspect } from 'node:util';

/** A value for a log. It does not throw, though getters and proxies in the value may. */
export function showValue(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return '(cannot be shown)';
  }
}
