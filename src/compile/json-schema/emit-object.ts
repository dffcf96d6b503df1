import type { ObjectShape, PropertyShape } from '../../shape/shape.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { describeExpected } from './describe-expected.ts';
import type { Emission } from './emission.ts';
import { emitShape } from './emit-shape.ts';
import { describeField } from './field-description.ts';
import { withNull } from './with-null.ts';

/** Writes the schema of a class. */
export function emitObject(shape: ObjectShape, path: string, emission: Emission): ObjectSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const property of shape.properties) {
    properties[property.name] = emitProperty(property, path, emission);
  }
  const required = shape.properties.filter((property) => property.required).map(({ name }) => name);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(emission.unknownFields === 'strict' ? { additionalProperties: false } : {}),
  };
}

function emitProperty(property: PropertyShape, outer: string, emission: Emission): JsonSchema {
  const path = outer === '' ? property.name : `${outer}.${property.name}`;
  const losses = property.lossy.map(({ reason }) => reason);
  const { shape, constraints, doc } = property;
  const value = {
    path,
    ofValue: constraints.filter(({ each }) => !each),
    ofItems: constraints.filter(({ each }) => each),
    losses,
  };
  const plain = emitShape(shape, value, emission);
  if (shape.kind === 'opaque' && shape.result !== undefined) {
    const result = describeExpected(emitShape(shape.result, value, emission));
    if (result !== undefined) losses.push(`has to become ${result}`);
  }
  for (const reason of losses) emission.looseFields.push(Object.freeze({ field: path, reason }));
  return {
    ...(property.nullable ? withNull(plain) : plain),
    ...(doc.format === undefined ? {} : { format: doc.format }),
    ...(doc.title === undefined ? {} : { title: doc.title }),
    ...describeField(doc.description, losses),
    ...(doc.default === undefined ? {} : { default: doc.default }),
    ...(doc.examples === undefined ? {} : { examples: doc.examples }),
    ...(doc.deprecated === undefined ? {} : { deprecated: doc.deprecated }),
  };
}
