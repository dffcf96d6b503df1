/** True when a path leads to one of the fields, or into it. */
export function concerns(path: string, names: readonly string[]): boolean {
  return names.some((name) => path === name || path.startsWith(`${name}.`));
}
