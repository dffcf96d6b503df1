import { innerShapes, visitShapes } from '../../shape/shape-index.ts';
import type { ObjectShape, PropertyShape, Shape } from '../../shape/shape.ts';
import type { Class } from '../../shared/class-type.ts';
import { LARGEST_INLINED } from '../../schema/inline.ts';

const A_PROPERTY = 50;
const A_CONSTRAINT = 20;
const A_REFERENCE = 30;

/**
 * The classes that become definitions: the recursive ones, and where the schema would grow too large
 * also those that are used more than once. Classes that use each other twice double at every level.
 */
export function definedClasses(root: ObjectShape): ReadonlySet<Class> {
  const recursive = new Set<Class>();
  const uses = new Map<Class, number>();
  const shapes = new Map<Class, ObjectShape>();
  visitShapes(root, (shape) => {
    if (shape.kind === 'ref') recursive.add(shape.id);
    if (shape.kind !== 'object') return;
    uses.set(shape.id, (uses.get(shape.id) ?? 0) + 1);
    shapes.set(shape.id, shape);
  });
  const written = [
    root,
    ...[...recursive].map((type) => shapes.get(type)).filter((one) => one !== undefined),
  ];
  const sizes = new Map<ObjectShape, number>();
  const size = written.reduce((sum, shape) => sum + objectSize(shape, recursive, sizes), 0);
  if (size <= LARGEST_INLINED) return recursive;
  return new Set([...recursive, ...[...uses].filter(([, count]) => count > 1).map(([type]) => type)]);
}

function objectSize(
  shape: ObjectShape,
  recursive: ReadonlySet<Class>,
  sizes: Map<ObjectShape, number>,
): number {
  const known = sizes.get(shape);
  if (known !== undefined) return known;
  const sizeOf = (inner: Shape): number => {
    if (inner.kind === 'ref') return A_REFERENCE;
    if (inner.kind === 'object')
      return recursive.has(inner.id) ? A_REFERENCE : objectSize(inner, recursive, sizes);
    const own = inner.kind === 'enum' ? JSON.stringify(inner.values).length : 0;
    return innerShapes(inner).reduce((sum, below) => sum + sizeOf(below), own);
  };
  const size = shape.properties.reduce((sum, one) => sum + ownSize(one) + sizeOf(one.shape), 0);
  sizes.set(shape, size);
  return size;
}

function ownSize({ name, doc, constraints, lossy }: PropertyShape): number {
  const words = lossy.reduce((sum, { reason }) => sum + reason.length, doc.description?.length ?? 0);
  return A_PROPERTY + name.length + constraints.length * A_CONSTRAINT + words;
}
