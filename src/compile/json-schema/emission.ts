import type { UnknownFields } from '../../metadata/options.ts';
import type { ObjectShape, RefShape } from '../../shape/shape.ts';
import { indexShapes, visitShapes } from '../../shape/shape-index.ts';
import type { Class } from '../../shared/class-type.ts';
import type { LooseField } from '../contract.ts';

/** A class that is emitted as a definition, and where it was first met. */
interface Definition {
  readonly shape: ObjectShape;
  readonly path: string;
}

/** The state of writing one schema. */
export interface Emission {
  readonly unknownFields: UnknownFields;
  readonly looseFields: LooseField[];
  /** The recursive classes only; everything else is written where it is used. */
  readonly names: ReadonlyMap<Class, string>;
  readonly definitions: Map<Class, Definition>;
  readonly shapeOf: (ref: RefShape | ObjectShape) => ObjectShape;
}

export function beginEmission(root: ObjectShape, unknownFields: UnknownFields): Emission {
  const index = indexShapes(root);
  return {
    unknownFields,
    looseFields: [],
    names: definitionNames(root),
    definitions: new Map(),
    shapeOf: (ref) => (ref.kind === 'object' ? ref : (index.get(ref.id) as ObjectShape)),
  };
}

/** Two classes of one name become `Input` and `Input_2`. */
function definitionNames(root: ObjectShape): ReadonlyMap<Class, string> {
  const names = new Map<Class, string>();
  visitShapes(root, (shape) => {
    if (shape.kind !== 'ref' || names.has(shape.id)) return;
    const plain = shape.id.name.replace(/[^A-Za-z0-9_]/g, '_') || 'Input';
    const taken = new Set(names.values());
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${String(count)}`;
    names.set(shape.id, name);
  });
  return names;
}
