import type { RawSchema } from '../../schema/subschemas.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { safeName, type NameRule } from '../../shared/names.ts';
import type { LossAction, Losses } from '../losses.ts';
import { safeKeys } from '../names.ts';
import type { DecodeNote, DecodeNotes } from './decode.ts';
import type { Located, SourceSchema } from './source-schema.ts';
import type { Conversion } from '../errors.ts';
import type { Recursion } from './recursion.ts';
import type { RowId } from './rows.ts';

/** One emitted node while it is written. */
export class Draft {
  /** The emitted keywords, in the order of their sources. */
  readonly out = new Map<string, unknown>();
  /** The changes that a reader of the arguments has to undo. */
  note: DecodeNote = {};
  /** A sentence for the description. */
  hint: string | undefined;
  /** Lines for the description. */
  readonly lines: string[] = [];
  /** The target of the emitted `$ref`. */
  reference: Located | undefined;
  readonly #constraints: Constraint[] = [];
  #keys: DraftKeys | undefined;

  /** @param node the one to be written; after each shaping, what came of it */
  constructor(
    readonly rewriter: Rewriting,
    public node: PlainObject,
    readonly position: Position,
  ) {}

  get path(): string {
    return this.rewriter.source.pathOf(this.node);
  }

  /** The property keys, of the node as it was shaped. */
  get keys(): DraftKeys {
    const { keys } = this.rewriter.target;
    const isFree = keys === undefined || (keys.at === 'root' && !this.position.isArguments);
    return (this.#keys ??= new DraftKeys(this.node, isFree ? undefined : keys.rule));
  }

  /** Where the value of a keyword stands in the canonical tool. */
  placeOf(keyword: string): string {
    return this.rewriter.source.placeOf(this.node, keyword);
  }

  /** The emitted form of a schema in this one. */
  child(schema: RawSchema, path: string, position: Position = INNER): RawSchema {
    return this.rewriter.rewrite({ schema, path }, position);
  }

  put(keyword: string, value: unknown): void {
    this.out.set(keyword, value);
  }

  lose(feature: string, action: LossAction, outcome: string, path = this.placeOf(feature)): void {
    this.rewriter.losses.report({ feature, path, action, outcome });
  }

  /** Removes a keyword. */
  drop(keyword: string): void {
    this.lose(keyword, 'dropped', `${keyword} was removed.`);
  }

  /**
   * Moves a keyword into the description.
   * @param isReported true when another warning says so already
   */
  describe(keyword: string, value: unknown, isReported = false): void {
    this.#constraints.push({ keyword, value, place: this.placeOf(keyword), isReported });
  }

  /**
   * @param keyword the one that was found to lead into a circle
   * @param isEndless whether circles through optional properties are allowed
   */
  refuseRecursion(keyword?: string, isEndless = false): never {
    const { conversion, target, recursion } = this.rewriter;
    const here = keyword === undefined ? this.path : this.placeOf(keyword);
    const path = recursion.closingPlace(isEndless) ?? here;
    return conversion.fail('RECURSIVE_SCHEMA', path, `${target.name} cannot follow ${path} in a circle.`);
  }

  /** The finished node. */
  build(): PlainObject {
    const { text, left } = constraintsText(this.#constraints);
    for (const { keyword, place, isReported } of this.#constraints) {
      const isLeft = left.has(keyword);
      if (isReported && !isLeft) continue;
      const outcome = isLeft
        ? 'was removed: it is too long for the description'
        : 'went into the description';
      this.lose(keyword, isLeft ? 'dropped' : 'described', `${keyword} ${outcome}.`, place);
    }
    this.#writeDescription(text);
    return Object.fromEntries(this.out);
  }

  #writeDescription(constraints: string | undefined): void {
    const { description } = this.node;
    const own = typeof description === 'string' && description !== '' ? [description] : [];
    const added = [...this.lines, this.hint, constraints].filter((text) => text !== undefined);
    if (added.length > 0) this.put('description', [...own, ...added].join('\n\n'));
  }
}

/** Where a schema stands: at its own place, or below the one that holds it when it is a boolean. */
export function pathOfChild(draft: Draft, schema: unknown, fallback: string): string {
  return isPlainObject(schema) ? draft.rewriter.source.pathOf(schema) : fallback;
}

/** The property keys of one node as its target allows them. */
class DraftKeys {
  readonly #rule: NameRule | undefined;
  readonly #own: ReadonlyMap<string, string>;

  /** @param rule undefined where every key is allowed */
  constructor({ properties }: PlainObject, rule: NameRule | undefined) {
    this.#rule = rule;
    this.#own =
      rule === undefined || !isPlainObject(properties) ? new Map() : safeKeys(Object.keys(properties), rule);
  }

  /** The emitted form of a key; one that the node does not declare follows the same rule. */
  of(key: string): string {
    if (this.#rule === undefined) return key;
    return this.#own.get(key) ?? safeName(key, this.#rule, key);
  }
}

/** A keyword that goes into the description. */
interface Constraint {
  readonly keyword: string;
  readonly value: unknown;
  /** Where its value stands in the canonical tool. */
  readonly place: string;
  readonly isReported: boolean;
}

/** The longest JSON that a description takes. */
const MAX_LENGTH = 1000;

/** The constraints as one line of text, and the keywords that it has no room for: the largest. */
function constraintsText(constraints: readonly Constraint[]): {
  readonly text: string | undefined;
  readonly left: ReadonlySet<string>;
} {
  const bySize = constraints
    .map(({ keyword, value }) => ({ keyword, value, size: canonicalJson(value ?? null).length }))
    .sort((a, b) => b.size - a.size || (a.keyword < b.keyword ? -1 : 1));
  const fitting = bySize.findIndex((_, first) => jsonOf(bySize.slice(first)).length <= MAX_LENGTH);
  const kept = fitting === -1 ? [] : bySize.slice(fitting);
  const left = new Set(bySize.slice(0, bySize.length - kept.length).map(({ keyword }) => keyword));
  return { text: kept.length === 0 ? undefined : `Constraints: ${jsonOf(kept)}`, left };
}

function jsonOf(constraints: readonly { readonly keyword: string; readonly value: unknown }[]): string {
  return canonicalJson(Object.fromEntries(constraints.map(({ keyword, value }) => [keyword, value])));
}

/** The facts about a target that do not depend on its rules. */
export interface TargetFacts {
  /** As the matrix and the warnings call it. */
  readonly name: string;
  readonly rules: Readonly<Record<RowId, { readonly letter: string }>>;
  /** Whether a `$ref` may point to any place, not only to a definition. */
  readonly anyPointer: boolean;
  /** The rule for property keys, and the levels at which it applies. */
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
