/** The message of anything thrown; never its stack, code or data. It does not throw, whatever was thrown. */
export function thrownMessage(thrown: unknown): string {
  try {
    const message: unknown = isObject(thrown) ? thrown.message : undefined;
    if (typeof message === 'string' && message !== '') return message;
    if (thrown instanceof Error)
      return typeof thrown.name === 'string' && thrown.name !== '' ? thrown.name : 'Error';
    return String(thrown);
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

function isObject(value: unknown): value is { readonly message?: unknown } {
  return typeof value === 'object' && value !== null;
}
