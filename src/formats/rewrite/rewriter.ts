import { freeName } from '../../schema/definitions.ts';
import { SCHEMA_LIMITS } from '../../schema/limits.ts';
import { fragmentOf, pointTo, tokensOf, valueAt } from '../../schema/pointer.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson, isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Conversion } from '../errors.ts';
import type { Losses } from '../losses.ts';
import type { DecodeNote, Decoder } from './decode.ts';
import { Draft, INNER, isArgumentsRoot, type Position, type Rewriting } from './draft.ts';
import { Recursion } from './recursion.ts';
import { rowOf, type RowId } from './rows.ts';
import { writeItems } from './rules/value-rules.ts';
import { writeProperties, writeRequired } from './rules/object-rules.ts';
import { openValue } from './rules/type-rules.ts';
import { plainRoot } from './rules/composition-rules.ts';
import type { Rule, Target } from './rules/rule.ts';
import { SourceSchema, type Located } from './source-schema.ts';

/** The schema to rewrite, its target, and the place where losses are reported. */
interface RewriteRequest {
  /** Checked already. */
  readonly schema: RawSchema;
  /** The pointer to the schema in the canonical tool. */
  readonly path: '/inputSchema' | '/outputSchema';
  readonly target: Target;
  readonly conversion: Conversion;
  readonly losses: Losses;
}

/** An emitted schema, which belongs to the caller, and how to read the arguments that are made by it. */
interface RewrittenSchema {
  readonly schema: PlainObject;
  readonly decoder: Decoder;
}

/** Rewrites a schema of the canonical tool for a target, by the matrix. */
export function rewriteSchema(request: RewriteRequest): RewrittenSchema {
  const { conversion, path } = request;
  try {
    return rewrite(request);
  } catch (error) {
    if (error instanceof InvalidSchemaError) return conversion.fail('INVALID_SCHEMA', error.path, error);
    throw error;
  }

  function rewrite({ schema, target, losses }: RewriteRequest): RewrittenSchema {
    if (schema === false)
      conversion.fail('ROOT_NOT_OBJECT', path, `${path} accepts nothing, not even an object.`);
    const source = new SourceSchema(schema === true ? {} : schema, path);
    const rewriter = new Rewriter(source, target, conversion, losses);
    const root = isPlainObject(source.root) ? source.root : {};
    const emitted = rewriter.rewriteRoot(root, path === '/inputSchema');
    return { schema: copyJson(emitted), decoder: { root: emitted, notes: rewriter.notes } };
  }
}

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
/** Required properties have to be declared before all declared properties become required. */
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

/** The keywords that every target has, and that no row of the matrix is about. */
const STRUCTURE = new Map<string, NonNullable<Rule['write']>>([
  ['type', (draft, keyword, value) => draft.put(keyword, value)],
  ['properties', writeProperties],
  ['required', writeRequired],
  ['items', writeItems],
]);

class Rewriter implements Rewriting {
  readonly notes = new WeakMap<object, DecodeNote>();
  readonly recursion: Recursion;
  readonly #references: PendingReferences;
  readonly #active = new Set<PlainObject>();
  readonly #finally: ((root: PlainObject) => void)[] = [];
  #steps = 0;

  constructor(
    readonly source: SourceSchema,
    readonly target: Target,
    readonly conversion: Conversion,
    readonly losses: Losses,
  ) {
    this.recursion = new Recursion(source);
    this.#references = new PendingReferences(this);
  }

  finally(work: (root: PlainObject) => void): void {
    this.#finally.push(work);
  }

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
    if (isArgumentsRoot(position)) draft.node = plainRoot(draft);
    for (const id of SHAPING) this.#shape(draft, id);
    if (this.target.rules.openValue.replace?.(draft) !== true) this.#write(draft);
    this.#active.delete(node);
  }

  /** Handles a node inside itself, which arises when merging inserts the target of a reference. */
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
      const write = STRUCTURE.get(keyword) ?? this.target.rules[rowOf(keyword, value, isAtRoot)].write;
      write?.(draft, keyword, value);
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

  /** References to references can make it grow without end when they are inlined. */
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

interface Pending {
  readonly node: PlainObject;
  readonly target: Located;
}

/**
 * The references of an emitted schema. Their targets may have been rewritten, renamed or moved, so each is
 * written again: to its old place where the schema still is there, else to a definition.
 */
class PendingReferences {
  readonly #rewriter: Rewriting;
  readonly #pending: Pending[] = [];
  readonly #places = new Map<string, PlainObject>();
  readonly #names = new Map<string, string>();
  readonly #added = new Map<string, RawSchema>();
  #taken: Set<string> | undefined;

  constructor(rewriter: Rewriting) {
    this.#rewriter = rewriter;
  }

  add(node: PlainObject, target: Located): void {
    this.#pending.push({ node, target });
  }

  emittedAt(path: string, emitted: PlainObject): void {
    this.#places.set(path, emitted);
  }

  define(path: string, name: string): void {
    this.#names.set(path, name);
  }

  /** The root with all its references written, and with the definitions they needed. */
  settle(root: PlainObject): PlainObject {
    // Grows while it is read: a definition that is added may hold references as well
    for (const { node, target } of this.#pending) {
      Object.assign(node, { $ref: this.#pointerTo(root, target) });
    }
    if (this.#added.size > 0) {
      const definitions = { ...(root.$defs as PlainObject | undefined) };
      const joined = Object.fromEntries([...Object.entries(definitions), ...this.#added]);
      Object.assign(root, { $defs: joined });
    }
    return root;
  }

  #pointerTo(root: PlainObject, target: Located): string {
    const { source, target: provider } = this.#rewriter;
    if (target.path === source.path) return '#';
    const pointer = target.path.slice(source.path.length);
    const isThere = valueAt(root, pointer) === this.#places.get(target.path);
    if (isThere && this.#places.has(target.path) && provider.anyPointer) return fragmentOf(pointer);
    return fragmentOf(pointTo('', '$defs', this.#nameOf(root, target)));
  }

  #nameOf(root: PlainObject, target: Located): string {
    const known = this.#names.get(target.path);
    if (known !== undefined) return known;
    const name = this.#freeName(root, target.path);
    this.#names.set(target.path, name);
    this.#added.set(name, this.#rewriter.rewrite(target, INNER));
    return name;
  }

  #freeName(root: PlainObject, path: string): string {
    const taken = (this.#taken ??= new Set(Object.keys((root.$defs as PlainObject | undefined) ?? {})));
    const wanted = (tokensOf(path)?.at(-1) ?? '').replace(/\W/g, '_') || 'schema';
    const name = freeName(wanted, taken);
    taken.add(name);
    return name;
  }
}
