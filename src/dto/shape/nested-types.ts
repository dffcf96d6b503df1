import { propertyType } from '../../metadata/design-types.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { declaredType } from './transformer-metadata.ts';
import type { ValidationReader } from './validation-metadata.ts';

/** The class behind a nested property, or its sub-types. */
export type NestedType =
  | { readonly kind: 'class'; readonly type: Class; readonly isDerived: boolean }
  | {
      readonly kind: 'union';
      readonly discriminator: string;
      readonly options: readonly { readonly name: string; readonly type: Class }[];
    };

const NO_DTO = new Set<unknown>([Object, Array, String, Number, Boolean, Date, Map, Set, Promise, Function]);

/** @Type decides; a property of one class needs none, its emitted type is enough. */
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
