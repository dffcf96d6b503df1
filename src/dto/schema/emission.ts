import type { UnknownFields } from '../../metadata/options.ts';
import { LARGEST_INLINED } from '../../schema/inline.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import {
  indexShapes,
  innerShapes,
  visitShapes,
  type ObjectShape,
  type PropertyShape,
  type RefShape,
  type Shape,
} from '../shape/shape.ts';

/** The discriminating value of a sub-type. */
export interface Tag {
  readonly property: string;
  readonly name: string;
}

/** A class with a definition of its own, and where it was first met; as a sub-type it carries its tag. */
interface Definition {
  readonly name: string;
  readonly shape: ObjectShape;
  readonly tag: Tag | undefined;
  readonly path: string;
}

/** A rule that the check enforces but the schema cannot express; shown as a warning at the start. */
export interface LooseField {
  readonly field: string;
  readonly reason: string;
}

/** The state of writing one schema. */
export interface Emission {
  readonly unknownFields: UnknownFields;
  readonly looseFields: LooseField[];
  /** True for classes that become definitions; everything else is written where it is used. */
  readonly isDefined: (type: Class) => boolean;
  readonly definitions: Definition[];
  readonly shapeOf: (ref: RefShape | ObjectShape) => ObjectShape;
  /** Only that a class is an object is written, and nothing of its members. */
  readonly isShallow?: boolean;
}

export function beginEmission(root: ObjectShape, unknownFields: UnknownFields): Emission {
  const index = indexShapes(root);
  const defined = definedClasses(root);
  return {
    unknownFields,
    looseFields: [],
    isDefined: (type) => defined.has(type),
    definitions: [],
    shapeOf: (ref) => (ref.kind === 'object' ? ref : (index.get(ref.id) as ObjectShape)),
  };
}

/** A reference to the definition of a class. Two classes of one name become `Input` and `Input_2`. */
export function referTo(
  shape: ObjectShape,
  tag: Tag | undefined,
  path: string,
  emission: Emission,
): JsonSchema {
  const known = emission.definitions.find((one) => one.shape.id === shape.id && isSameTag(one.tag, tag));
  if (known !== undefined) return { $ref: `#/$defs/${known.name}` };
  const plain = shape.id.name.replace(/[^A-Za-z0-9_]/g, '_') || 'Input';
  const taken = new Set(emission.definitions.map((definition) => definition.name));
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain}_${String(count)}`;
  emission.definitions.push({ name, shape, tag, path });
  return { $ref: `#/$defs/${name}` };
}

function isSameTag(left: Tag | undefined, right: Tag | undefined): boolean {
  return left?.property === right?.property && left?.name === right?.name;
}

const A_PROPERTY = 50;
const A_CONSTRAINT = 20;
const A_REFERENCE = 30;

/**
 * The classes that become definitions: the recursive ones, and where the schema would grow too large
 * also those that are used more than once. Classes that use each other twice double at every level.
 */
function definedClasses(root: ObjectShape): ReadonlySet<Class> {
  const recursive = new Set<Class>();
  const uses = new Map<Class, number>();
  const shapes = new Map<Class, ObjectShape>();
  visitShapes(root, (shape) => {
    if (shape.kind === 'ref') recursive.add(shape.id);
    if (shape.kind !== 'object') return;
    uses.set(shape.id, (uses.get(shape.id) ?? 0) + 1);
    shapes.set(shape.id, shape);
  });
  if ([...uses.values()].every((count) => count < 2)) return recursive;
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
