import { fragmentOf, pointTo, tokensOf, valueAt } from '../../schema/pointer.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import type { PlainObject } from '../../shared/json.ts';
import { INNER, type Rewriting } from './rewriting.ts';
import type { Located } from './source-schema.ts';

interface Pending {
  readonly node: PlainObject;
  readonly target: Located;
}

/**
 * The references of an emitted schema. What they lead to may have been rewritten, renamed or moved, so each is
 * written again: to its old place where the schema still is there, else to a definition.
 */
export class PendingReferences {
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

  /** Remembers where the schema of a place went. */
  emittedAt(path: string, emitted: PlainObject): void {
    this.#places.set(path, emitted);
  }

  /** Remembers the name of an emitted definition. */
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
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${String(count)}`;
    taken.add(name);
    return name;
  }
}
