/** What was done to the values of one emitted schema, so that it can be undone. */
export interface DecodeNote {
  /** The value is JSON text of one of these types; of any, where there are none. */
  readonly openTypes?: readonly string[];
  /** Emitted text → the value that it stands for. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** Emitted key → the original one. */
  readonly keys?: ReadonlyMap<string, string>;
  /** Emitted keys of properties whose null means that they are absent. */
  readonly absentAsNull?: ReadonlySet<string>;
}

export type DecodeNotes = WeakMap<object, DecodeNote>;
