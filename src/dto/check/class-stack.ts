import { instanceToPlain, type TargetMap } from 'class-transformer';
import { validate, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { Class } from '../../shared/class-type.ts';
import type { PlainObject } from '../../shared/json.ts';
import { indexShapes, type ObjectShape } from '../shape/shape.ts';
import { toInstance } from '../shape/transformer-metadata.ts';

/** One property that the validators refuse; an array's items have their index as name. */
export interface StackFailure {
  /** Undefined when the value as a whole is refused. */
  readonly property: string | undefined;
  /** The converted value. */
  readonly value: unknown;
  /** The validator's name → its message. */
  readonly messages: Readonly<Record<string, string>>;
  readonly children: readonly StackFailure[];
}

export interface StackResult {
  readonly instance: object;
  readonly failures: readonly StackFailure[];
}

/** class-transformer and class-validator, set up for one DTO. */
export interface ClassStack {
  /** Throws what the class's constructor, transforms or conversions throw. */
  readonly hydrate: (plain: PlainObject) => object;
  /**
   * Returns a promise only if a validator may need one. It throws or rejects as the validators do.
   * `prepare` changes the instance before it is validated.
   */
  readonly run: (
    plain: PlainObject,
    prepare?: (instance: object) => void,
  ) => StackResult | Promise<StackResult>;
}

// Unknown names are checked before: `whitelist` would also delete or refuse what a class's own field
// initialisers add, and it reports no accepted names.
const OPTIONS: ValidatorOptions = { forbidUnknownValues: true, validationError: { target: false } };

export function createClassStack(shape: ObjectShape): ClassStack {
  const classes = [...indexShapes(shape).values()];
  const targetMaps = classes.map(derivedTypes);
  const isAsync = classes.some(mayBeAsync);
  const hydrate = (plain: PlainObject): object => toInstance(shape.id, plain, targetMaps);
  return Object.freeze({
    hydrate,
    run: (plain: PlainObject, prepare?: (instance: object) => void) => {
      const instance = hydrate(plain);
      prepare?.(instance);
      if (!isAsync) return toResult(instance, validateSync(instance, OPTIONS));
      return validate(instance, OPTIONS).then((errors) => toResult(instance, errors));
    },
  });
}

/** The output of class-transformer for an instance: with the names of @Expose, without properties of @Exclude. */
export function writeInstance(instance: object): unknown {
  return instanceToPlain(instance);
}

/** Conversions that no @Type asks for: nested classes known from the emitted type, and dates. */
function derivedTypes(shape: ObjectShape): TargetMap {
  const properties: Record<string, Class> = {};
  for (const { property, derivedType } of shape.properties) {
    if (derivedType !== undefined) properties[property] = derivedType;
  }
  return { target: shape.id, properties: properties };
}

/**
 * validateSync treats a promise as acceptance, and a user's validator need not declare that it is asynchronous.
 * So every DTO with a user's validator is validated asynchronously.
 */
function mayBeAsync(shape: ObjectShape): boolean {
  return shape.properties.some(({ constraints }) =>
    constraints.some(({ isAsync, isBuiltIn }) => isAsync || !isBuiltIn),
  );
}

function toResult(instance: object, errors: readonly ValidationError[]): StackResult {
  return { instance, failures: errors.map(toFailure) };
}

function toFailure(error: ValidationError): StackFailure {
  return {
    property: error.property,
    value: error.value,
    messages: error.constraints ?? {},
    children: (error.children ?? []).map(toFailure),
  };
}
