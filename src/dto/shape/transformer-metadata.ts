import type { TargetMap } from 'class-transformer';
import { TransformOperationExecutor } from 'class-transformer/cjs/TransformOperationExecutor.js';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { propertyType } from '../../metadata/design-types.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import type { ValidationReader } from './validation-metadata.ts';

// The codes of "plain to class" and "class to plain" in class-transformer's TransformationType.
export const PLAIN_TO_CLASS = 0;
const CLASS_TO_PLAIN = 1;

interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: Class }[];
}

/** What `@Type` says about a property. */
interface DeclaredType {
  readonly type: unknown;
  /** The target of class-transformer; unlike {@link type}, undefined if the function of `@Type` returns undefined. */
  readonly target: unknown;
  readonly reflected: unknown;
  readonly discriminator: Discriminator | undefined;
}

export function declaredType(target: Class, property: string): DeclaredType | undefined {
  const record = defaultMetadataStorage.findTypeMetadata(target, property);
  if (record === undefined) return undefined;
  // class-transformer passes the objects at hand; a type that depends on them cannot be known before a call
  const type = guarded(() => record.typeFunction?.({ newObject: {}, object: {}, property }));
  const { property: name, subTypes } = record.options?.discriminator ?? {};
  const discriminator =
    name === undefined || subTypes === undefined ? undefined : { property: name, subTypes };
  const reflected = record.reflectedType;
  const converted = record.typeFunction === undefined ? reflected : type;
  return { type: type ?? reflected, target: converted, reflected, discriminator };
}

/** True when `@Type` decides by the values at hand. */
export function isTypeByInput(target: Class, property: string): boolean {
  let isRead = false;
  const watched = new Proxy(
    {},
    {
      get: () => void (isRead = true),
      getOwnPropertyDescriptor: () => void (isRead = true),
      has: () => !(isRead = true),
      ownKeys: () => ((isRead = true), []),
    },
  );
  guarded(() => defaultMetadataStorage.findTypeMetadata(target, property)?.typeFunction?.(watched));
  return isRead;
}

export function hasTransform(target: Class, property: string): boolean {
  return defaultMetadataStorage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0;
}

/** Which way class-transformer goes: from the input to an instance, or from an instance to the output. */
export type Side = 'input' | 'output';

/** The name that the input uses for a property. */
export function inputName(target: Class, property: string): string {
  return defaultMetadataStorage.findExposeMetadata(target, property)?.options?.name ?? property;
}

/** True when class-transformer never takes the property from the input, or never writes it to the output. */
export function isExcluded(target: Class, property: string, side: Side): boolean {
  const exclude = defaultMetadataStorage.findExcludeMetadata(target, property);
  if (exclude !== undefined) {
    const { toClassOnly = false, toPlainOnly = false } = exclude.options ?? {};
    return side === 'input' ? toClassOnly || !toPlainOnly : toPlainOnly || !toClassOnly;
  }
  const isExposed = defaultMetadataStorage.findExposeMetadata(target, property) !== undefined;
  return defaultMetadataStorage.getStrategy(target) === 'excludeAll' && !isExposed;
}

/** True when a property is written to the output and read from it again. */
export function isCarried(target: Class, property: string): boolean {
  return !isExcluded(target, property, 'input') && !isExcluded(target, property, 'output');
}

/** True when class-transformer names or leaves out properties of the class. */
export function hasOwnNames(target: Class): boolean {
  const exposed = defaultMetadataStorage.getExposedMetadatas(target);
  return exposed.length > 0 || defaultMetadataStorage.getExcludedMetadatas(target).length > 0;
}

/** True when class-transformer takes only what is exposed, or all but what is excluded. */
export function hasStrategy(target: Class): boolean {
  return defaultMetadataStorage.getStrategy(target) !== 'none';
}

function guarded(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * class-transformer compares all names of an object with each other, so an object with a hundred thousand takes
 * seconds. If no class changes its names, they are used as they are.
 */
class FastExecutor extends TransformOperationExecutor {
  protected override getKeys(target: unknown, object: object, isMap: boolean | undefined): string[] {
    const isPlain = (target === undefined || target === Object) && !(object instanceof Map);
    return isPlain ? Object.keys(object) : super.getKeys(target, object, isMap);
  }
}

/** `plainToInstance` of class-transformer; it throws what the class's constructor, transforms or conversions throw. */
export function toInstance(
  type: Class,
  plain: unknown,
  targetMaps: TargetMap[] = [],
  options: object = {},
): object {
  const executor = new FastExecutor(PLAIN_TO_CLASS, { exposeUnsetFields: true, targetMaps, ...options });
  return executor.transform(undefined, plain, type) as object;
}

/** `instanceToPlain` of class-transformer: with the names of @Expose, without properties of @Exclude. */
export function toPlain(instance: object): unknown {
  const executor = new TransformOperationExecutor(CLASS_TO_PLAIN, { exposeUnsetFields: true });
  return executor.transform(undefined, instance, undefined);
}

/** The class behind a nested property, or its sub-types. */
export type NestedType =
  | { readonly kind: 'class'; readonly type: Class; readonly isDerived: boolean }
  | {
      readonly kind: 'union';
      readonly discriminator: string;
      readonly options: readonly { readonly name: string; readonly type: Class }[];
    };

const NO_DTO = new Set<unknown>([Object, Array, String, Number, Boolean, Date, Map, Set, Promise, Function]);

/** @Type decides; a property with a single class does not need it, because the emitted type is enough. */
export function nestedType(target: Class, property: string): NestedType | undefined {
  const declared = declaredType(target, property);
  if (declared?.discriminator !== undefined) {
    const { property: discriminator, subTypes } = declared.discriminator;
    const options = subTypes.map(({ name, value }) => ({ name, type: value }));
    return { kind: 'union', discriminator, options };
  }
  if (declared !== undefined) return classOf(declared.type, false);
  const emitted = propertyType(target, property);
  return emitted.kind === 'class' ? classOf(emitted.type, true) : undefined;
}

function classOf(type: unknown, isDerived: boolean): NestedType | undefined {
  return isClass(type) && !NO_DTO.has(type) ? { kind: 'class', type, isDerived } : undefined;
}

/** The collection that a property is declared as, where the compiler says so. */
export function collectionType(target: Class, property: string): 'array' | 'map' | 'set' | undefined {
  const emitted = propertyType(target, property);
  if (emitted.kind === 'primitive') return emitted.name === 'Array' ? 'array' : undefined;
  if (emitted.kind !== 'class') return undefined;
  if ((emitted.type as unknown) === Map) return 'map';
  return (emitted.type as unknown) === Set ? 'set' : undefined;
}

/** A DTO and every class that its nested properties lead to, each once. */
export function nestedClasses(root: Class, reader: ValidationReader): readonly Class[] {
  const known = new Set<Class>([root]);
  for (const target of known) {
    for (const record of reader.recordsOf(target)) {
      if (record.type !== 'nestedValidation') continue;
      const nested = nestedType(target, record.propertyName);
      if (nested?.kind === 'class') known.add(nested.type);
      if (nested?.kind === 'union') for (const option of nested.options) known.add(option.type);
    }
  }
  return [...known];
}
