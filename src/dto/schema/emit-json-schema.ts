import type { UnknownFields } from '../../metadata/options.ts';
import { describeExpected } from '../../schema/describe-expected.ts';
import { frozenCopy } from '../../shared/deep-freeze.ts';
import { HEADER_KEYWORD } from '../../schema/header-parameters.ts';
import type { JsonSchema, ObjectSchema } from '../../shared/json-schema.ts';
import {
  splitByEach,
  type Constraint,
  type EnumShape,
  type FieldDoc,
  type ObjectShape,
  type PropertyShape,
  type RefShape,
  type ScalarType,
  type Shape,
  type UnionShape,
} from '../shape/shape.ts';
import { addConstraints } from './constraint-rules.ts';
import { beginEmission, referTo, type Emission, type LooseField, type Tag } from './emission.ts';
import { enumOf, typesOfValues, withNull } from './keywords.ts';
import { withoutRules } from './conditional-field.ts';

interface EmittedSchema {
  readonly schema: ObjectSchema;
  readonly looseFields: readonly LooseField[];
}

/** Writes the JSON Schema 2020-12 of a shape. `$defs` holds recursive classes, and shared ones of large schemas. Frozen. */
export function emitJsonSchema(shape: ObjectShape, unknownFields: UnknownFields): EmittedSchema {
  const emission = beginEmission(shape, unknownFields);
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
    schema: frozenCopy(schema),
    looseFields: Object.freeze([...emission.looseFields]),
  });
}

/** Writes the schema of a class. */
function emitObject(shape: ObjectShape, path: string, emission: Emission): ObjectSchema {
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

const SHALLOW: Emission = Object.freeze({
  unknownFields: 'strict',
  looseFields: [],
  isDefined: () => false,
  definitions: [],
  shapeOf: (ref) => ref as ObjectShape,
  isShallow: true,
} satisfies Emission);

/** The published schema of one property, with `type: object` in the place of each class. */
export function emitField(property: PropertyShape): JsonSchema {
  return emitProperty(property, '', { ...SHALLOW, looseFields: [] });
}

function emitProperty(property: PropertyShape, outer: string, emission: Emission): JsonSchema {
  const path = outer === '' ? property.name : `${outer}.${property.name}`;
  const losses = property.lossy.map(({ reason }) => reason);
  const { shape, constraints, doc } = property;
  const value = {
    path,
    ...splitByEach(constraints),
    losses,
  };
  const ruled = emitShape(shape, value, emission);
  const emitted = withType(property.skipsValues ? withoutRules(ruled, property, losses) : ruled, doc.type);
  // clients reject a header if its type is not given directly
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

/** The type that the author names comes before what was found, and before the branches of other types. */
function withType({ anyOf, ...schema }: JsonSchema, type: FieldDoc['type']): JsonSchema {
  if (type === undefined) return anyOf === undefined ? schema : { ...schema, anyOf };
  const { items = {} } = schema;
  return { ...schema, type, ...([type].flat().includes('array') ? { items } : {}) };
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

/** Where a value is, and the validators that look at it. */
interface EmittedValue {
  readonly path: string;
  readonly ofValue: readonly Constraint[];
  readonly ofItems: readonly Constraint[];
  /** Collects the rules that the schema cannot express. */
  readonly losses: string[];
}

/** Writes the schema of one value. */
function emitShape(shape: Shape, value: EmittedValue, emission: Emission): JsonSchema {
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
      return opaqueSchema(shape);
  }
}

/** The types that a value of its own kind may have, where they are known. */
function opaqueSchema({ types = [] }: Extract<Shape, { kind: 'opaque' }>): JsonSchema {
  const [only, ...others] = types;
  if (only === undefined) return {};
  const type = others.length === 0 ? only : types;
  return types.includes('array') ? { type, items: {} } : { type };
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
  if (type === 'array') return { type, items: {} };
  return type === 'date' ? { type: 'string', format: 'date-time' } : { type };
}

function enumSchema({ values }: EnumShape): JsonSchema {
  return { ...typesOfValues(values), ...enumOf(values) };
}

function classSchema(ref: ObjectShape | RefShape, path: string, emission: Emission): JsonSchema {
  if (emission.isShallow === true) return { type: 'object' };
  const shape = emission.shapeOf(ref);
  return emission.isDefined(shape.id)
    ? referTo(shape, undefined, path, emission)
    : emitObject(shape, path, emission);
}

function unionSchema(union: UnionShape, path: string, emission: Emission): JsonSchema {
  if (emission.isShallow === true) return { type: 'object' };
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
function emitTagged(shape: ObjectShape, tag: Tag, path: string, emission: Emission): ObjectSchema {
  const { properties = {}, required = [], ...rest } = emitObject(shape, path, emission);
  const { [tag.property]: declared, ...others } = properties;
  const description = declared?.description === undefined ? {} : { description: declared.description };
  return {
    ...rest,
    properties: { [tag.property]: { type: 'string', const: tag.name, ...description }, ...others },
    required: [tag.property, ...required.filter((field) => field !== tag.property)],
  };
}

/** The description of a field, followed by a sentence for each rule that the schema cannot express. */
function describeField(
  description: string | undefined,
  losses: readonly string[],
): { readonly description?: string } {
  const sentences = losses.map((loss) => asSentence(loss));
  const parts = [description, ...sentences].filter((part) => part !== undefined && part !== '');
  if (parts.length === 0) return {};
  return { description: parts.reduce((text, part) => joinSentences(text ?? '', part ?? '')) as string };
}

function joinSentences(text: string, sentence: string): string {
  return /[.!?]$/.test(text) ? `${text} ${sentence}` : `${text}. ${sentence}`;
}

function asSentence(text: string): string {
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
