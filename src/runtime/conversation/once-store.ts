/**
 * Remembers which questions were answered, so that nobody answers them twice. Instances of a server share one.
 * Values are opaque texts; a value goes away by itself when its time is over, and not before.
 */
export interface OnceStore {
  /**
   * Puts the value if the key has none, in one step that nobody can come between.
   * @param lifetime milliseconds
   * @param owner whose answers they are, for a store that gives each a share; undefined for all who are not known
   * @returns undefined when it was put, else the value that is there
   */
  add(key: string, value: string, lifetime: number, owner?: string): Promise<string | undefined>;
  /**
   * Puts `next` if the value still is `current`, in one step that nobody can come between.
   * @returns whether it did
   */
  replace(key: string, current: string, next: string, lifetime: number): Promise<boolean>;
}
