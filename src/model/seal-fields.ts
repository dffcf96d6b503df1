import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import { Annotations } from './annotations.ts';
import { Icon } from './icon.ts';
import { sealedError } from './sealed-error.ts';
import { sealedMap } from './sealed-map.ts';
import { ToolAnnotations } from './tool-annotations.ts';

/**
 * Makes every later assignment to a field of `target` throw TW_MODEL_SEALED.
 * Annotations and icons are sealed where they are; plain data is replaced by a frozen copy,
 * because a schema or list belongs to whoever passed it in.
 */
export function sealFields(target: object, where: string, path = ''): void {
  for (const [key, field] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (field.writable !== true) continue;
    const member = path + key;
    const value: unknown = sealValue(field.value, where, member);
    Object.defineProperty(target, key, {
      enumerable: true,
      configurable: false,
      get: () => value,
      set: () => {
        throw sealedError(where, member);
      },
    });
  }
  Object.preventExtensions(target);
}

function sealValue(value: unknown, where: string, member: string): unknown {
  if (value instanceof ToolAnnotations || value instanceof Annotations || value instanceof Icon) {
    sealFields(value, where, `${member}.`);
    return value;
  }
  if (value instanceof Map) {
    const entries = [...value].map(([key, held]) => [key, deepFreeze(deepCopy(held))] as const);
    return sealedMap<unknown, unknown>(entries, where, member);
  }
  if (Array.isArray(value)) {
    return Object.freeze(value.map((held, index) => sealValue(held, where, `${member}.${String(index)}`)));
  }
  return deepFreeze(deepCopy(value));
}
