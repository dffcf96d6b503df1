/** Whether an object carries a brand. A proxy may throw when it is asked, and then it carries none. */
export function hasBrand(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return brand in value;
  } catch {
    return false;
  }
}
