import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';
import { Icon, Annotations, ToolAnnotations } from './values.ts';
import { frozenCopy } from '../shared/deep-freeze.ts';

/** Seals one part of a model and gives the parts below it; only {@link sealModel} calls it. */
export const SEAL: unique symbol = Symbol.for('toolwright:model.seal');

/**
 * What every part of a model has: a name that never changes, and what a client may show beside it.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty or a name or separator is not a string.
 * @example
 * const describe = (part: BaseModel) => `${part.getFullyQualifiedName()}: ${part.description ?? ''}`;
 */
export abstract class BaseModel {
  /** Stands between the names of a qualified name unless another separator is given. */
  static readonly DEFAULT_SEPARATOR: string = '.';

  /** The name, for programs. */
  declare readonly name: string;
  /** Stands between the names of a qualified name. */
  declare readonly nameSeparator: string;
  /** The name that clients show to people. */
  title: string | undefined;
  /** What it is for, for models and people. */
  description: string | undefined;
  /** `_meta` of the wire form. */
  meta: Map<string, unknown> | undefined;
  /** Icons that clients show beside the name. */
  icons: readonly Icon[] | undefined;

  /** Subclasses call it. It refuses an empty name with `TW_MODEL_NAME`. */
  constructor(name: string, nameSeparator: string) {
    checkName(name, nameSeparator, new.target.name);
    // defined this way at once, as fields would have to be redefined
    Object.defineProperty(this, 'name', { value: name, enumerable: true });
    Object.defineProperty(this, 'nameSeparator', { value: nameSeparator, enumerable: true });
  }

  /** The name with the path that leads to it, where there is exactly one path. */
  abstract getFullyQualifiedName(): string;

  /** Kind and name, as messages write them: `Tool "list"`. */
  toString(): string {
    return `${this.constructor.name} "${this.name}"`;
  }

  /** @internal */
  [SEAL](): readonly BaseModel[] {
    sealFields(this, this.toString());
    return [];
  }
}

function checkName(name: unknown, separator: unknown, kind: string): void {
  if (typeof name === 'string' && name !== '' && typeof separator === 'string') return;
  const isNameWrong = typeof name !== 'string' || name === '';
  throw new ToolwrightError('TW_MODEL_NAME', {
    where: kind,
    what: isNameWrong
      ? `has ${name === '' ? 'an empty string' : describeValue(name)} for a name`
      : `${JSON.stringify(name)} has ${describeValue(separator)} for a separator`,
    fix: isNameWrong
      ? `new ${kind}('name'), with a non-empty string`
      : `new ${kind}('name', '/'), or leave the separator out`,
  });
}

/**
 * Seals parts of a model and everything below them: from then on each `add…`, `remove…` and assignment
 * throws `TW_MODEL_SEALED`, from either side of a link. Sealing twice is harmless.
 * Schemas, lists and `meta` are replaced by frozen copies, annotations and icons are sealed themselves.
 *
 * @example
 * sealModel(root);
 * root.addChildTool(new Tool('late')); // throws TW_MODEL_SEALED
 */
export function sealModel(roots: BaseModel | readonly BaseModel[]): void {
  const pending: BaseModel[] = Array.isArray(roots)
    ? [...(roots as readonly BaseModel[])]
    : [roots as BaseModel];
  const sealed = new Set<BaseModel>();
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (sealed.has(part)) continue;
    sealed.add(part);
    for (const below of part[SEAL]()) pending.push(below);
  }
}

/**
 * Makes every later assignment to a field of `target` throw TW_MODEL_SEALED.
 * Annotations and icons are sealed where they are; plain data is replaced by a frozen copy,
 * because a schema or list belongs to the caller that passed it in.
 */
function sealFields(target: object, where: string, path = ''): void {
  for (const [key, field] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (field.writable !== true) continue;
    const member = path + key;
    const value: unknown = sealValue(field.value, where, member);
    Object.defineProperty(target, key, {
      enumerable: true,
      configurable: false,
      get: () => value,
      set: () => {
        throw sealedError(where, member);
      },
    });
  }
  Object.preventExtensions(target);
}

function sealValue(value: unknown, where: string, member: string): unknown {
  if (value instanceof ToolAnnotations || value instanceof Annotations || value instanceof Icon) {
    sealFields(value, where, `${member}.`);
    return value;
  }
  if (value instanceof Map) {
    const entries = [...value].map(([key, held]) => [key, frozenCopy(held)] as const);
    return sealedMap<unknown, unknown>(entries, where, member);
  }
  if (Array.isArray(value)) {
    return Object.freeze(value.map((held, index) => sealValue(held, where, `${member}.${String(index)}`)));
  }
  return frozenCopy(value);
}

/** A copy of a Map that refuses every change; freezing alone would not do for a Map. */
function sealedMap<TKey, TValue>(
  entries: Iterable<readonly [TKey, TValue]>,
  where: string,
  member: string,
): Map<TKey, TValue> {
  const refuse = (): never => {
    throw sealedError(where, member);
  };
  // Own methods and no subclass, so that it still equals any other Map with the same entries.
  const map = new Map(entries);
  for (const mutator of ['set', 'delete', 'clear']) Object.defineProperty(map, mutator, { value: refuse });
  return Object.freeze(map);
}

/** The refusal of a change that comes after the model was compiled. */
export function sealedError(where: string, member: string): ToolwrightError<'TW_MODEL_SEALED'> {
  return new ToolwrightError('TW_MODEL_SEALED', {
    where,
    what: `is already compiled; its ${member} cannot change any more`,
    why: 'clients may have seen the model already',
    fix: 'make the change in the decorated class or builder it comes from, or in the model before it is sealed',
  });
}
