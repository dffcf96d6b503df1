/** What callers of an action are told that is kept for a while only. The versions are semantic versions. */
export interface Deprecation {
  /** The version in which it was given up. */
  readonly since: string;
  /** The key of the action to call instead, of the same tool; its own key where a newer version of it is meant. */
  readonly use?: string;
  /** The first version without it. */
  readonly until?: string;
}
