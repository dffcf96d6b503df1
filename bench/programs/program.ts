/** The arguments that the program was started with. */
export function readArguments<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

export function sendProgress(progress: string): void {
  process.send?.({ progress });
}

/** The end of a program. */
export function sendResult(result: unknown): void {
  process.send?.({ result }, () => process.exit());
}
