import type { UnknownFields } from '../../metadata/options.ts';
import type { ObjectShape } from '../../shape/shape.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { LooseField } from '../contract.ts';
import { beginEmission } from './emission.ts';
import { emitObject } from './emit-object.ts';
import { emitTagged } from './emit-shape.ts';

export interface EmittedSchema {
  readonly schema: ObjectSchema;
  readonly looseFields: readonly LooseField[];
}

/** Writes the JSON Schema 2020-12 of a shape. `$defs` holds recursive classes, and shared ones of large schemas. Frozen. */
export function emitJsonSchema(shape: ObjectShape, unknownFields: UnknownFields): EmittedSchema {
  const emission = beginEmission(shape, unknownFields, emitObject);
  const root = emitObject(shape, '', emission);
  const definitions: Record<string, JsonSchema> = {};
  // a definition may lead to further ones, which join the list while it is walked
  for (const { name, shape: inner, tag, path } of emission.definitions) {
    const reported = emission.looseFields.length;
    definitions[name] =
      tag === undefined ? emitObject(inner, path, emission) : emitTagged(inner, tag, path, emission);
    // the root has reported its own fields already
    if (inner.id === shape.id) emission.looseFields.length = reported;
  }
  const schema = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  // a copy, because values come from validators' arguments and must not be frozen there
  return Object.freeze({
    schema: deepFreeze(deepCopy(schema)),
    looseFields: Object.freeze([...emission.looseFields]),
  });
}
