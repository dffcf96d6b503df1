import type {
  Constraint,
  EnumShape,
  ObjectShape,
  RefShape,
  ScalarType,
  Shape,
  UnionShape,
} from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { addConstraints } from './constraint-rules.ts';
import type { Emission } from './emission.ts';
import { emitObject } from './emit-object.ts';
import { typesOfValues } from './json-types.ts';

/** Where a value is, and the validators that look at it. */
export interface EmittedValue {
  readonly path: string;
  readonly ofValue: readonly Constraint[];
  readonly ofItems: readonly Constraint[];
  /** Collects what the schema cannot say. */
  readonly losses: string[];
}

/** Writes the schema of one value. */
export function emitShape(shape: Shape, value: EmittedValue, emission: Emission): JsonSchema {
  const items = { ...value, ofValue: value.ofItems, ofItems: [] };
  switch (shape.kind) {
    case 'array':
      return constrained({ type: 'array', items: emitShape(shape.items, items, emission) }, 'array', value);
    case 'map': {
      const values = emitShape(shape.values, items, emission);
      return constrained({ type: 'object', additionalProperties: values }, 'object', value);
    }
    case 'scalar':
      return constrained(scalarSchema(shape.type), shape.type, value);
    case 'enum':
      return constrained(enumSchema(shape), 'any', value);
    case 'union':
      return constrained(unionSchema(shape, value.path, emission), 'object', value);
    case 'object':
    case 'ref':
      return constrained(classSchema(shape, value.path, emission), 'object', value);
    case 'opaque':
      return {};
  }
}

function constrained(schema: JsonSchema, type: ScalarType, { ofValue, losses }: EmittedValue): JsonSchema {
  return addConstraints(schema, ofValue, type, losses);
}

function scalarSchema(type: ScalarType): JsonSchema {
  if (type === 'any') return {};
  return type === 'date' ? { type: 'string', format: 'date-time' } : { type };
}

function enumSchema({ values }: EnumShape): JsonSchema {
  return { ...typesOfValues(values), enum: values };
}

function classSchema(shape: ObjectShape | RefShape, path: string, emission: Emission): JsonSchema {
  const name = emission.names.get(shape.id);
  if (name === undefined) return emitObject(emission.shapeOf(shape), path, emission);
  if (!emission.definitions.has(shape.id)) {
    emission.definitions.set(shape.id, { shape: emission.shapeOf(shape), path });
  }
  return { $ref: `#/$defs/${name}` };
}

/** Each sub-type with its own name as the only value of the discriminator. */
function unionSchema(union: UnionShape, path: string, emission: Emission): JsonSchema {
  const { discriminator } = union;
  const branches = union.options.map(({ name, shape }) => {
    const { properties = {}, required = [], ...rest } = emitObject(emission.shapeOf(shape), path, emission);
    const { description } = properties[discriminator] ?? {};
    const tag = { type: 'string', const: name, ...(description === undefined ? {} : { description }) };
    return {
      ...rest,
      properties: { [discriminator]: tag, ...without(properties, discriminator) },
      required: [discriminator, ...required.filter((field) => field !== discriminator)],
    };
  });
  return { anyOf: branches };
}

function without(properties: Readonly<Record<string, JsonSchema>>, name: string): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([property]) => property !== name));
}
