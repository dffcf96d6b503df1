/** Nothing that only watches may fail what it watches, and nobody is left who could be told. */
export function undisturbed<Result>(watch: () => Result): Result | undefined {
  try {
    return watch();
  } catch {
    return undefined;
  }
}
