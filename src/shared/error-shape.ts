/** Whether an object has a brand; false for a proxy that throws. */
export function hasBrand(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return brand in value;
  } catch {
    return false;
  }
}

/** The code of an error, by its shape: drivers and Node may throw errors of another realm. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}
