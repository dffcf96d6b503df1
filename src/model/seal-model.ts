import { type BaseModel, SEAL } from './base-model.ts';

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
