/** Where a node stands. */
export interface Position {
  readonly isRoot: boolean;
  /** The schema of the arguments as a whole, or of one way of reading them. */
  readonly isArguments: boolean;
  /** A schema around this one says what type the value has. */
  readonly isTyped: boolean;
}

export const INNER: Position = Object.freeze({ isRoot: false, isArguments: false, isTyped: false });

/** True for the root of the arguments, for which providers have rules of their own. */
export function isArgumentsRoot({ isRoot, isArguments }: Position): boolean {
  return isRoot && isArguments;
}
