import type { UnknownFields } from '../../metadata/options.ts';
import type { ObjectShape } from '../../shape/shape.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import type { LooseField } from '../contract.ts';
import { beginEmission } from './emission.ts';
import { emitObject } from './emit-object.ts';

export interface EmittedSchema {
  readonly schema: ObjectSchema;
  readonly looseFields: readonly LooseField[];
}

/** Writes the JSON Schema 2020-12 of a shape. `$defs` holds recursive classes only. Frozen. */
export function emitJsonSchema(shape: ObjectShape, unknownFields: UnknownFields): EmittedSchema {
  const emission = beginEmission(shape, unknownFields);
  const root = emitObject(shape, '', emission);
  const definitions: Record<string, JsonSchema> = {};
  // definitions may lead to further ones; a Map lets them join while it is walked
  for (const [id, definition] of emission.definitions) {
    const name = emission.names.get(id) ?? id.name;
    const isKnown = id === shape.id;
    const before = emission.looseFields.length;
    definitions[name] = emitObject(definition.shape, definition.path, emission);
    // the root reports its own fields already
    if (isKnown) emission.looseFields.length = before;
  }
  const schema = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  // a copy, because values come from validators' arguments and must not be frozen there
  return Object.freeze({
    schema: deepFreeze(deepCopy(schema)),
    looseFields: Object.freeze([...emission.looseFields]),
  });
}
