import type { FieldDoc, ObjectShape, PropertyShape } from '../../shape/shape.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { HEADER_KEYWORD } from '../../shared/header-parameters.ts';
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
  const emitted = emitShape(shape, value, emission);
  // clients refuse a header whose type they have to look for
  const plain = doc.header === undefined ? emitted : firstBranch(emitted);
  if (shape.kind === 'opaque' && shape.result !== undefined) {
    const result = describeExpected(emitShape(shape.result, value, emission));
    if (result !== undefined) losses.push(`has to become ${result}`);
  }
  for (const reason of losses) emission.looseFields.push(Object.freeze({ field: path, reason }));
  // A header has no null, and clients refuse the type of one that may be null.
  const isNullable = property.nullable && doc.header === undefined;
  return {
    ...(isNullable ? withNull(plain) : plain),
    ...documentField(doc, losses),
  };
}

/** A header is one text: where a schema has branches, all of them are of one type. */
function firstBranch(schema: JsonSchema): JsonSchema {
  const [first] = schema.anyOf ?? [];
  return first?.type === undefined || typeof first['format'] !== 'string' ? schema : { type: first.type };
}

function documentField(doc: FieldDoc, losses: readonly string[]): JsonSchema {
  const { format, title, description, default: value, examples, deprecated, header } = doc;
  return {
    ...(format === undefined ? {} : { format }),
    ...(title === undefined ? {} : { title }),
    ...describeField(description, losses),
    ...(value === undefined ? {} : { default: value }),
    ...(examples === undefined ? {} : { examples }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(header === undefined ? {} : { [HEADER_KEYWORD]: header }),
  };
}
