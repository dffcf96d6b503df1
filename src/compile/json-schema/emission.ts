import type { UnknownFields } from '../../metadata/options.ts';
import type { ObjectShape, RefShape } from '../../shape/shape.ts';
import { indexShapes } from '../../shape/shape-index.ts';
import type { Class } from '../../shared/class-type.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { LooseField } from '../contract.ts';
import { definedClasses } from './defined-classes.ts';

/** The value that tells a sub-type from its siblings. */
export interface Tag {
  readonly property: string;
  readonly name: string;
}

/** A class with a definition of its own, and where it was first met; as a sub-type it carries its tag. */
export interface Definition {
  readonly name: string;
  readonly shape: ObjectShape;
  readonly tag: Tag | undefined;
  readonly path: string;
}

/** The state of writing one schema. */
export interface Emission {
  readonly unknownFields: UnknownFields;
  readonly looseFields: LooseField[];
  /** True for classes that become definitions; everything else is written where it is used. */
  readonly isDefined: (type: Class) => boolean;
  readonly definitions: Definition[];
  readonly shapeOf: (ref: RefShape | ObjectShape) => ObjectShape;
  /** Handed in, as objects and values are written by each other. */
  readonly emitObject: (shape: ObjectShape, path: string, emission: Emission) => ObjectSchema;
}

export function beginEmission(
  root: ObjectShape,
  unknownFields: UnknownFields,
  emitObject: Emission['emitObject'],
): Emission {
  const index = indexShapes(root);
  const defined = definedClasses(root);
  return {
    unknownFields,
    looseFields: [],
    isDefined: (type) => defined.has(type),
    definitions: [],
    shapeOf: (ref) => (ref.kind === 'object' ? ref : (index.get(ref.id) as ObjectShape)),
    emitObject,
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
