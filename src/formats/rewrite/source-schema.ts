import { dialectOf, holderOf, type Dialect } from '../../schema/keywords.ts';
import { pointTo, tokensOf, valueAt } from '../../schema/pointer.ts';
import { References } from '../../schema/references.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import { mapHeld, type RawSchema, walkSchema } from '../../schema/subschemas.ts';
import { upgradeKeywords } from '../../schema/upgrade.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';

/** A schema, and where it stands in the canonical tool. */
export interface Located {
  readonly schema: RawSchema;
  readonly path: string;
}

/** One keyword of a schema, and where its value stands in the canonical tool. */
export interface Part {
  readonly keyword: string;
  readonly value: unknown;
  readonly place: string;
}

interface Origin {
  readonly path: string;
  readonly places: ReadonlyMap<string, string>;
}

/**
 * A schema of the canonical tool, read once into the vocabulary of 2020-12. Each of its nodes knows where it
 * stood, also after nodes were merged into new ones: that is where a loss is reported.
 */
export class SourceSchema {
  readonly root: RawSchema;
  readonly path: string;
  readonly #raw: RawSchema;
  readonly #dialect: Dialect;
  readonly #origins = new WeakMap<object, Origin>();
  readonly #nodes = new Map<string, RawSchema>();
  readonly references: References;

  /** @param path the pointer to the schema in the canonical tool, as in `/inputSchema` */
  constructor(schema: RawSchema, path: string) {
    this.#raw = schema;
    this.path = path;
    this.#dialect = dialectOf(schema) ?? '2020-12';
    this.references = new References(schema);
    this.root = this.#read(schema, path);
  }

  /** Where a node stands. */
  pathOf(node: PlainObject): string {
    return this.#originOf(node).path;
  }

  /** Where the value of a keyword stands, which need not be below the path of a merged node. */
  placeOf(node: PlainObject, keyword: string): string {
    const { path, places } = this.#originOf(node);
    return places.get(keyword) ?? pointTo(path, keyword);
  }

  /** The keywords of a node. */
  partsOf(node: PlainObject): readonly Part[] {
    return Object.entries(node).map(([keyword, value]) => ({
      keyword,
      value,
      place: this.placeOf(node, keyword),
    }));
  }

  /** A node made of parts of others. */
  derive(path: string, parts: readonly Part[]): PlainObject {
    const node = Object.fromEntries(parts.map(({ keyword, value }) => [keyword, value]));
    const places = new Map(parts.map(({ keyword, place }) => [keyword, place]));
    this.#origins.set(node, { path, places });
    return node;
  }

  /**
   * A copy of a node with other values for some of its keywords. One that is undefined is left out, and one that the
   * node does not have comes first.
   */
  change(node: PlainObject, values: PlainObject): PlainObject {
    const path = this.pathOf(node);
    const added = Object.keys(values).filter((keyword) => !Object.hasOwn(node, keyword));
    const parts = [...added.map((keyword) => ({ keyword, place: path })), ...this.partsOf(node)].map((part) =>
      Object.hasOwn(values, part.keyword) ? { ...part, value: values[part.keyword] } : (part as Part),
    );
    return this.derive(
      path,
      parts.filter(({ value }) => value !== undefined),
    );
  }

  /** A node for the values of another one, and for null. */
  orNull(node: PlainObject): PlainObject {
    const path = this.pathOf(node);
    const nothing = this.derive(path, [{ keyword: 'type', value: 'null', place: path }]);
    return this.derive(path, [{ keyword: 'anyOf', value: [node, nothing], place: path }]);
  }

  /** The target of a node's reference. References were checked before. */
  follow(node: PlainObject): Located {
    const keyword = referenceOf(node);
    const place = this.placeOf(node, keyword);
    const from = place.slice(this.path.length, place.lastIndexOf('/'));
    const found = this.references.find(from, String(node[keyword]));
    if (found === undefined) throw new InvalidSchemaError({ path: place, what: 'refers to nothing.' });
    return { schema: this.#nodeAt(found), path: `${this.path}${found}` };
  }

  /** The targets of the references of the document. */
  targets(): readonly Located[] {
    const nodes = [...walkSchema(this.#raw)].map(({ path }) => this.#nodeAt(path));
    return nodes
      .filter(isPlainObject)
      .filter(isReference)
      .map((node) => this.follow(node));
  }

  /** The name of a definition at the root; undefined for any other place. */
  definitionName(path: string): string | undefined {
    const [holder, name, ...deeper] = tokensOf(path.slice(this.path.length)) ?? [];
    return (holder === '$defs' || holder === 'definitions') && deeper.length === 0 ? name : undefined;
  }

  #originOf(node: PlainObject): Origin {
    const origin = this.#origins.get(node);
    if (origin === undefined) throw new TypeError('a node of another schema');
    return origin;
  }

  #nodeAt(relative: string): RawSchema {
    const path = `${this.path}${relative}`;
    const known = this.#nodes.get(path);
    if (known !== undefined) return known;
    if (!this.references.isVisited(relative)) this.references.visit(relative, '');
    return this.#read(valueAt(this.#raw, relative), path);
  }

  #read(schema: unknown, path: string): RawSchema {
    const node = typeof schema === 'boolean' ? schema : this.#readObject(schema, path);
    this.#nodes.set(path, node);
    return node;
  }

  #readObject(schema: unknown, path: string): PlainObject {
    if (!isPlainObject(schema)) {
      throw new InvalidSchemaError({ path, what: 'is neither an object nor a boolean.' });
    }
    const parts = upgradeKeywords(schema, this.#dialect).map(({ keyword, value, written }) => {
      const place = pointTo(path, written);
      return { keyword, value: this.#readValue(keyword, value, place), place };
    });
    return this.derive(path, this.#joined(parts, path));
  }

  /** `definitions` beside `$defs` is one keyword now. */
  #joined(parts: readonly Part[], path: string): readonly Part[] {
    const holders = parts.filter(({ keyword }) => keyword === '$defs');
    if (holders.length < 2) return parts;
    const value = Object.assign({}, ...holders.map((part) => part.value as PlainObject)) as PlainObject;
    const others = parts.filter(({ keyword }) => keyword !== '$defs');
    return [...others, { keyword: '$defs', value, place: pointTo(path, '$defs') }];
  }

  #readValue(keyword: string, value: unknown, place: string): unknown {
    const holder = holderOf(keyword);
    if (holder === 'dependencies') return value;
    if (holder === 'list' && !Array.isArray(value))
      throw new InvalidSchemaError({ path: place, what: 'is not a list of schemas.' });
    if (holder === 'map' && !isPlainObject(value))
      throw new InvalidSchemaError({ path: place, what: 'is not a map of schemas.' });
    return mapHeld(keyword, value, (held, ...tokens) => this.#read(held, pointTo(place, ...tokens)));
  }
}

/** True for a node that stands for another one. */
export function isReference(node: PlainObject): boolean {
  return Object.hasOwn(node, '$ref') || Object.hasOwn(node, '$dynamicRef');
}

/** The keyword by which it does. */
export function referenceOf(node: PlainObject): '$ref' | '$dynamicRef' {
  return Object.hasOwn(node, '$ref') ? '$ref' : '$dynamicRef';
}
