import type { ObjectShape, Shape } from '../../src/dto/shape/shape.ts';
import type { Class } from '../../src/shared/class-type.ts';

/** A copy without the nulls that stand for a field that was left out; what is not a plain object stays as it is. */
export function withoutAbsentNulls(
  value: unknown,
  shape: Shape,
  shapes: ReadonlyMap<Class, ObjectShape>,
): unknown {
  if (Array.isArray(value)) {
    const items = shape.kind === 'array' ? shape.items : shape;
    return value.map((item: unknown) => withoutAbsentNulls(item, items, shapes));
  }
  if (shape.kind === 'array') return withoutAbsentNulls(value, shape.items, shapes);
  if (!isPlain(value) || (shape.kind !== 'object' && shape.kind !== 'ref')) return value;
  const { properties } = shapes.get(shape.id) as ObjectShape;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, item] of Object.entries<unknown>({ ...value })) {
    const property = properties.find((one) => one.name === name);
    if (item === null && property?.nullIsAbsent === true) continue;
    const inner = property === undefined ? item : withoutAbsentNulls(item, property.shape, shapes);
    Object.defineProperty(copy, name, { value: inner, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
