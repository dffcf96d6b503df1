import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';
import { sealFields } from './sealing.ts';
import type { Icon } from './values.ts';

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
  static readonly DEFAULT_SEPARATOR: string = '.';

  declare readonly name: string;
  declare readonly nameSeparator: string;
  title: string | undefined;
  description: string | undefined;
  /** `_meta` of the wire form. */
  meta: Map<string, unknown> | undefined;
  icons: readonly Icon[] | undefined;

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
