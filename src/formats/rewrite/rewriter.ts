import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import type { Losses } from '../loss/losses.ts';
import { SCHEMA_LIMITS } from '../../schema/limits.ts';
import type { Conversion } from './conversion.ts';
import type { DecodeNote } from './decode-notes.ts';
import { Draft } from './draft.ts';
import { openValue } from './open-value.ts';
import { isArgumentsRoot, type Position } from './position.ts';
import type { Rewriting } from './rewriting.ts';
import { plainRoot } from './plain-root.ts';
import { PendingReferences } from './pending-references.ts';
import { Recursion } from './recursion.ts';
import { rowOf, type RowId } from './rows.ts';
import type { Target } from './rule.ts';
import type { Located, SourceSchema } from './source-schema.ts';
import { writeStructure } from './structure.ts';

/** Structure first: what a keyword means depends on where it ends up. */
const SHAPING: readonly RowId[] = [
  'recursion',
  'reference',
  'nullable',
  'objectValues',
  'allOf',
  'rootAllOf',
  'rootUnion',
  'anyOf',
  'missingItems',
  'openValue',
  'enumStrings',
  'typeArray',
];
/** What is required has to be declared before all that is declared is required. */
const FINISHING: readonly RowId[] = [
  'openValue',
  'missingItems',
  'enumStrings',
  'enumNumbers',
  'additionalSchema',
  'optional',
];
const ONLY_AT_ROOT = new Set<RowId>(['rootAllOf', 'rootUnion']);

/** The deepest nesting of schemas that is emitted; more than that only inlining can make. */
const MAX_DEPTH = 2 * SCHEMA_LIMITS.depth;

/** Rewrites one schema for one target, by the rules of the target. */
export class Rewriter implements Rewriting {
  readonly source: SourceSchema;
  readonly target: Target;
  readonly conversion: Conversion;
  readonly losses: Losses;
  readonly notes = new WeakMap<object, DecodeNote>();
  readonly recursion: Recursion;
  readonly #references: PendingReferences;
  readonly #active = new Set<PlainObject>();
  readonly #finally: ((root: PlainObject) => void)[] = [];
  #steps = 0;

  constructor(source: SourceSchema, target: Target, conversion: Conversion, losses: Losses) {
    this.source = source;
    this.target = target;
    this.conversion = conversion;
    this.losses = losses;
    this.recursion = new Recursion(source);
    this.#references = new PendingReferences(this);
  }

  /** Work on the emitted schemas that has to wait until all references are settled. */
  finally(work: (root: PlainObject) => void): void {
    this.#finally.push(work);
  }

  /** Remembers the name of an emitted definition. */
  define(path: string, name: string): void {
    this.#references.define(path, name);
  }

  /** The root of the emitted schema; its references are settled. */
  rewriteRoot(node: PlainObject, isArguments: boolean): PlainObject {
    const emitted = this.#rewriteNode(node, { isRoot: true, isArguments, isTyped: false });
    const root = this.#references.settle(emitted);
    for (const work of this.#finally) work(root);
    return root;
  }

  /** The emitted form of a schema. */
  rewrite({ schema, path }: Located, position: Position): RawSchema {
    if (isPlainObject(schema)) return this.#rewriteNode(schema, position);
    return this.target.rules.openValue.letter === 'K' ? schema : openValue(this, path);
  }

  #rewriteNode(node: PlainObject, position: Position): PlainObject {
    const draft = new Draft(this, node, position);
    if (this.#active.has(node)) this.#closeCircle(draft);
    else this.#fill(draft);
    return this.#emit(draft, node);
  }

  #fill(draft: Draft): void {
    const { node, position } = draft;
    this.spend(draft.path);
    this.#active.add(node);
    if (isArgumentsRoot(position) && this.target.plainRoot) draft.node = plainRoot(draft);
    for (const id of SHAPING) this.#shape(draft, id);
    if (this.target.rules.openValue.replace?.(draft) !== true) this.#write(draft);
    this.#active.delete(node);
  }

  /** A node inside itself: merging has put in what a reference led to. */
  #closeCircle(draft: Draft): void {
    const { recursion, reference } = this.target.rules;
    if (recursion.letter === 'E' || reference.letter !== 'K') {
      draft.refuseRecursion(Object.hasOwn(draft.node, '$ref') ? '$ref' : undefined);
    }
    draft.put('$ref', '');
    draft.reference = { schema: draft.node, path: draft.path };
  }

  #shape(draft: Draft, id: RowId): void {
    const isAtRoot = isArgumentsRoot(draft.position);
    if (ONLY_AT_ROOT.has(id) && !isAtRoot) return;
    if (id === 'allOf' && isAtRoot) return;
    draft.node = this.target.rules[id].shape?.(draft.node, draft) ?? draft.node;
  }

  #write(draft: Draft): void {
    const isAtRoot = isArgumentsRoot(draft.position);
    for (const [keyword, value] of Object.entries(draft.node)) {
      if (writeStructure(draft, keyword, value)) continue;
      this.target.rules[rowOf(keyword, value, isAtRoot)].write?.(draft, keyword, value);
    }
    for (const id of FINISHING) this.target.rules[id].finish?.(draft);
  }

  #emit(draft: Draft, node: PlainObject): PlainObject {
    const emitted = draft.build();
    this.notes.set(emitted, draft.note);
    if (draft.reference !== undefined) this.#references.add(emitted, draft.reference);
    if (draft.node === node) this.#references.emittedAt(this.source.pathOf(node), emitted);
    return emitted;
  }

  /** Counts a step of the work. References to references can make it grow without end when they are inlined. */
  spend(path: string, steps = 1): void {
    this.#steps += steps;
    if (this.#steps <= SCHEMA_LIMITS.nodes && this.#active.size <= MAX_DEPTH) return;
    this.conversion.fail(
      'SCHEMA_TOO_LARGE',
      path,
      'the schema grows too large when its references are inlined.',
    );
  }
}
