import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import type { LossAction } from '../loss/feature-loss.ts';
import { DraftKeys } from './draft-keys.ts';
import { constraintsText, type Constraint } from './constraints-text.ts';
import type { DecodeNote } from './decode-notes.ts';
import { INNER, type Position } from './position.ts';
import type { Rewriting } from './rewriting.ts';
import type { Located } from './source-schema.ts';

/** One emitted node while it is written. */
export class Draft {
  readonly rewriter: Rewriting;
  readonly position: Position;
  /** The node after the shaping so far. */
  node: PlainObject;
  /** The emitted keywords, in the order of their sources. */
  readonly out = new Map<string, unknown>();
  /** What a reader of the arguments needs to know to undo it. */
  note: DecodeNote = {};
  /** A sentence for the description. */
  hint: string | undefined;
  /** Lines for the description. */
  readonly lines: string[] = [];
  /** What the emitted `$ref` leads to. */
  reference: Located | undefined;
  readonly #constraints: Constraint[] = [];
  #keys: DraftKeys | undefined;

  constructor(rewriter: Rewriting, node: PlainObject, position: Position) {
    this.rewriter = rewriter;
    this.node = node;
    this.position = position;
  }

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
export function pathOfChild(draft: Draft, schema: RawSchema, fallback: string): string {
  return isPlainObject(schema) ? draft.rewriter.source.pathOf(schema) : fallback;
}
