import type { RawSchema } from '../../schema/subschemas.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { NameRule } from '../../shared/name-rule.ts';
import type { Conversion } from '../errors.ts';
import type { Losses } from '../losses.ts';
import type { DecodeNotes } from './decode.ts';
import type { Recursion } from './recursion.ts';
import type { RowId } from './rows.ts';
import type { Located, SourceSchema } from './source-schema.ts';

/** What is known of a target without looking at what its rules do. */
export interface TargetFacts {
  /** As the matrix and the warnings call it. */
  readonly name: string;
  readonly rules: Readonly<Record<RowId, { readonly letter: string }>>;
  /** Roots of arguments have to be plain objects. */
  readonly plainRoot: boolean;
  /** Whether a `$ref` may point to any place, not only to a definition. */
  readonly anyPointer: boolean;
  /** What property keys have to look like, and where. */
  readonly keys?: { readonly rule: NameRule; readonly at: 'root' | 'everywhere' };
}

/** One schema on its way to one target: what the rules can read and report. */
export interface Rewriting {
  readonly source: SourceSchema;
  readonly target: TargetFacts;
  readonly conversion: Conversion;
  readonly losses: Losses;
  readonly notes: DecodeNotes;
  readonly recursion: Recursion;
  /** The emitted form of a schema. */
  rewrite(schema: Located, position: Position): RawSchema;
  /** Remembers the name of an emitted definition. */
  define(path: string, name: string): void;
  /** Counts a step of the work, of which there may not be too many. */
  spend(path: string, steps?: number): void;
  /** Work on the emitted schemas that has to wait until all references are settled. */
  finally(work: (root: PlainObject) => void): void;
}

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
