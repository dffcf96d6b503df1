import { SCHEMA_LIMITS } from '../../schema/limits.ts';
import { pointTo } from '../../schema/pointer.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { copyJson } from '../../shared/copy-json.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Conversion } from '../errors.ts';
import type { Losses } from '../losses.ts';
import type { DecodeNote, Decoder } from './decode.ts';
import { Draft, pathOfChild } from './draft.ts';
import { PendingReferences } from './pending-references.ts';
import { Recursion } from './recursion.ts';
import { isArgumentsRoot, type Position, type Rewriting } from './rewriting.ts';
import { rowOf, type RowId } from './rows.ts';
import { openValue } from './rules/open-value-rules.ts';
import { plainRoot } from './rules/root-rules.ts';
import type { Target } from './rules/rule.ts';
import { SourceSchema, type Located } from './source-schema.ts';

/** What is rewritten, for which target, and where losses are reported. */
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
class Rewriter implements Rewriting {
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

/** Writes the keywords that every target has, and that no row of the matrix is about. */
function writeStructure(draft: Draft, keyword: string, value: unknown): boolean {
  const write = STRUCTURE.get(keyword);
  write?.(draft, value);
  return write !== undefined;
}

const STRUCTURE = new Map<string, (draft: Draft, value: unknown) => void>([
  ['type', (draft, value) => draft.put('type', value)],
  ['properties', writeProperties],
  ['required', writeRequired],
  ['items', writeItems],
]);

function writeProperties(draft: Draft, value: unknown): void {
  const entries = Object.entries(value as Readonly<Record<string, RawSchema>>);
  const present = entries.filter(([, schema]) => !isRemoved(draft, schema));
  const renamed = new Map<string, string>();
  const emitted = present.map(([name, schema]) => {
    const path = pathOfChild(draft, schema, pointTo(draft.placeOf('properties'), name));
    const key = draft.keys.of(name);
    if (key !== name) {
      renamed.set(key, name);
      draft.lose('propertyName', 'transformed', `the property "${name}" is called "${key}".`, path);
    }
    return [key, draft.child(schema, path)] as const;
  });
  draft.put('properties', Object.fromEntries(emitted));
  if (renamed.size > 0) draft.note = { ...draft.note, keys: renamed };
}

/** A property that nothing fits is the same as none, where no schema can say `false`. */
function isRemoved(draft: Draft, schema: unknown): boolean {
  return schema === false && draft.rewriter.target.rules.openValue.letter !== 'K';
}

function writeRequired(draft: Draft, value: unknown): void {
  if (!Array.isArray(value)) return;
  const { properties } = draft.node;
  const schemas: PlainObject = isPlainObject(properties) ? properties : {};
  const names = value
    .map(String)
    .filter((name) => !Object.hasOwn(schemas, name) || !isRemoved(draft, schemas[name]));
  draft.put('required', [...new Set(names.map((name) => draft.keys.of(name)))]);
}

function writeItems(draft: Draft, value: unknown): void {
  const { prefixItems, openValue } = draft.rewriter.target.rules;
  // Without the tuple before them, these would be the items of the whole list
  const isRest = Array.isArray(draft.node.prefixItems) && prefixItems.letter !== 'K';
  if (isRest || (value === false && openValue.letter !== 'K')) draft.describe('items', value);
  else
    draft.put(
      'items',
      draft.child(value as RawSchema, pathOfChild(draft, value as RawSchema, draft.placeOf('items'))),
    );
}
