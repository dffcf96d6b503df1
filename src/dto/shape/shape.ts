import type { JsonType } from '../../metadata/options.ts';
import type { Class } from '../../shared/class-type.ts';

/** The rules of a DTO class for its values: the one source of the JSON Schema and of the check. Frozen. */
export interface ObjectShape {
  readonly kind: 'object';
  /** Identity is the class itself; two classes may share a name. */
  readonly id: Class;
  readonly properties: readonly PropertyShape[];
}

export interface PropertyShape {
  /** The name in the input; `@Expose({ name })` may set it apart from {@link property}. */
  readonly name: string;
  readonly property: string;
  /** Leaving the key out is refused. */
  readonly required: boolean;
  /** `null` is a value of the property although its type does not include it (`@Field({ nullable })`, a condition). */
  readonly nullable: boolean;
  /** `null` in the input means that the property was left out. */
  readonly nullIsAbsent: boolean;
  /** With @Sensitive(): neither the value nor anything in it is ever shown. */
  readonly isSensitive: boolean;
  readonly shape: Shape;
  readonly constraints: readonly Constraint[];
  readonly conditions: readonly Condition[];
  /** A condition lets some values through that the validators would refuse. */
  readonly skipsValues: boolean;
  /** The class that values are converted to although no @Type says so. */
  readonly derivedType: Class | undefined;
  readonly doc: FieldDoc;
  /** Checked without being expressible as a schema. */
  readonly lossy: readonly LossReason[];
}

export type Shape =
  | ObjectShape
  | ArrayShape
  | ScalarShape
  | EnumShape
  | UnionShape
  | MapShape
  | RefShape
  | OpaqueShape;

interface ArrayShape {
  readonly kind: 'array';
  readonly items: Shape;
}

/** The JSON type of a single value; `date` is a string that becomes a Date, `any` has no type at all. */
export type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'date' | 'any';

interface ScalarShape {
  readonly kind: 'scalar';
  readonly type: ScalarType;
}

export interface EnumShape {
  readonly kind: 'enum';
  readonly values: readonly (string | number)[];
}

/** Sub-types of `@Type`, told apart by one property. */
export interface UnionShape {
  readonly kind: 'union';
  readonly discriminator: string;
  readonly options: readonly { readonly name: string; readonly shape: ObjectShape | RefShape }[];
}

/** A Map: an object in JSON, with free names. */
interface MapShape {
  readonly kind: 'map';
  readonly values: Shape;
}

/** A class that is being read further out: a recursive type. */
export interface RefShape {
  readonly kind: 'ref';
  readonly id: Class;
}

/** The decorators do not determine the input; `result` is the shape that the converted value is checked with. */
interface OpaqueShape {
  readonly kind: 'opaque';
  readonly reason: string;
  readonly result?: Shape;
  /** The types that the conversion takes, as far as it shows; undefined where it takes any. */
  readonly types?: readonly JsonType[] | undefined;
}

/** One validator on a property. */
export interface Constraint {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly each: boolean;
  /** It has a `validateIf` of its own. */
  readonly isConditional: boolean;
  /** That condition, as class-validator calls it. */
  readonly condition: ((object: object, value: unknown) => unknown) | undefined;
  /** Of class-validator itself, as far as its name shows. */
  readonly isBuiltIn: boolean;
  readonly isAsync: boolean;
  /** The rule in words: `must be an IBAN`. */
  readonly phrase: string;
  /** The original validator; it may throw or return a promise. For an item, `whole` is the value that contains it. */
  readonly validate: (value: unknown, object: object, whole?: unknown) => unknown;
}

/** The validators of a value itself, and those of its items. */
export function splitByEach(constraints: readonly Constraint[]): {
  readonly ofValue: readonly Constraint[];
  readonly ofItems: readonly Constraint[];
} {
  // Few properties have any of items, and an application has thousands of properties
  if (!constraints.some(({ each }) => each)) return { ofValue: constraints, ofItems: [] };
  return {
    ofValue: constraints.filter(({ each }) => !each),
    ofItems: constraints.filter(({ each }) => each),
  };
}

/** Whether a property is validated at all. */
export interface Condition {
  readonly kind: 'optional' | 'validateIf';
  readonly dependsOnOthers: boolean;
  readonly test: (value: unknown, object: object) => boolean;
  /** As class-validator calls it; it may throw. */
  readonly original: (object: object, value: unknown) => unknown;
}

/** The options of @Field, and the default of the field initialiser. */
export interface FieldDoc {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** The default comes from @Field, so it has to be filled in. */
  readonly isDefaultDeclared: boolean;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly format?: string;
  readonly header?: string;
  readonly type?: JsonType | readonly JsonType[];
}

export interface LossReason {
  /** The rest of a sentence that begins with the field. */
  readonly reason: string;
}

/** Every class below a shape → its shape, so that references can be followed. */
export function indexShapes(root: ObjectShape): ReadonlyMap<Class, ObjectShape> {
  const index = new Map<Class, ObjectShape>();
  visitShapes(root, (shape) => {
    if (shape.kind === 'object') index.set(shape.id, shape);
  });
  return index;
}

/**
 * Visits a shape and everything below it. A class is visited wherever it is used, but entered once:
 * there are too many paths through classes that use each other.
 */
export function visitShapes(
  shape: Shape,
  visit: (shape: Shape) => void,
  entered = new Set<ObjectShape>(),
): void {
  visit(shape);
  if (shape.kind === 'object') {
    if (entered.has(shape)) return;
    entered.add(shape);
  }
  for (const inner of innerShapes(shape)) visitShapes(inner, visit, entered);
}

/** The shapes directly below a shape. */
export function innerShapes(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'object':
      return shape.properties.map((property) => property.shape);
    case 'array':
      return [shape.items];
    case 'map':
      return [shape.values];
    case 'union':
      return shape.options.map((option) => option.shape);
    case 'opaque':
      return shape.result === undefined ? [] : [shape.result];
    default:
      return [];
  }
}
