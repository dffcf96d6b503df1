/** The one name that changes an object's prototype where it is assigned. */
export function isPrototypeName(name: string): boolean {
  return name === '__proto__';
}
