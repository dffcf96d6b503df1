import type {
  Constraint,
  EnumShape,
  ObjectShape,
  RefShape,
  ScalarType,
  Shape,
  UnionShape,
} from '../../shape/shape.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import { addConstraints } from './constraint-rules.ts';
import { referTo, type Emission, type Tag } from './emission.ts';
import { enumOf, typesOfValues } from './json-types.ts';

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
  return branchesWhole(addConstraints(schema, ofValue, type, losses));
}

/** Strict converters read each branch by itself, and refuse what stands beside `anyOf`. */
function branchesWhole({ anyOf, ...beside }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return beside;
  return { anyOf: anyOf.map((branch) => ({ ...beside, ...branch })) };
}

function scalarSchema(type: ScalarType): JsonSchema {
  if (type === 'any') return {};
  return type === 'date' ? { type: 'string', format: 'date-time' } : { type };
}

function enumSchema({ values }: EnumShape): JsonSchema {
  return { ...typesOfValues(values), ...enumOf(values) };
}

function classSchema(ref: ObjectShape | RefShape, path: string, emission: Emission): JsonSchema {
  const shape = emission.shapeOf(ref);
  return emission.isDefined(shape.id)
    ? referTo(shape, undefined, path, emission)
    : emission.emitObject(shape, path, emission);
}

function unionSchema(union: UnionShape, path: string, emission: Emission): JsonSchema {
  const branches = union.options.map((option) => {
    const shape = emission.shapeOf(option.shape);
    const tag = { property: union.discriminator, name: option.name };
    return emission.isDefined(shape.id)
      ? referTo(shape, tag, path, emission)
      : emitTagged(shape, tag, path, emission);
  });
  return { anyOf: branches };
}

/** A sub-type, with its own name as the only value of the discriminator. */
export function emitTagged(shape: ObjectShape, tag: Tag, path: string, emission: Emission): ObjectSchema {
  const { properties = {}, required = [], ...rest } = emission.emitObject(shape, path, emission);
  const { [tag.property]: declared, ...others } = properties;
  const description = declared?.description === undefined ? {} : { description: declared.description };
  return {
    ...rest,
    properties: { [tag.property]: { type: 'string', const: tag.name, ...description }, ...others },
    required: [tag.property, ...required.filter((field) => field !== tag.property)],
  };
}
