import type { Class } from '../shared/class-type.ts';
import type { ObjectShape, Shape } from './shape.ts';

/** Every class below a shape → its shape, so that references can be followed. */
export function indexShapes(root: ObjectShape): ReadonlyMap<Class, ObjectShape> {
  const index = new Map<Class, ObjectShape>();
  visitShapes(root, (shape) => {
    if (shape.kind === 'object') index.set(shape.id, shape);
  });
  return index;
}

/**
 * Visits a shape and everything below it. A class is visited wherever it is used, but entered once:
 * the ways through classes that use each other are too many to walk.
 */
export function visitShapes(
  shape: Shape,
  visit: (shape: Shape) => void,
  entered = new Set<ObjectShape>(),
): void {
  visit(shape);
  if (shape.kind === 'object') {
    if (entered.has(shape)) return;
    entered.add(shape);
  }
  for (const inner of innerShapes(shape)) visitShapes(inner, visit, entered);
}

/** The shapes directly below a shape. */
export function innerShapes(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'object':
      return shape.properties.map((property) => property.shape);
    case 'array':
      return [shape.items];
    case 'map':
      return [shape.values];
    case 'union':
      return shape.options.map((option) => option.shape);
    case 'opaque':
      return shape.result === undefined ? [] : [shape.result];
    default:
      return [];
  }
}
