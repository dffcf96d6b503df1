import { ToolwrightError } from '../errors/toolwright-error.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import { Annotations, Icon, ToolAnnotations } from './values.ts';

/**
 * Makes every later assignment to a field of `target` throw TW_MODEL_SEALED.
 * Annotations and icons are sealed where they are; plain data is replaced by a frozen copy,
 * because a schema or list belongs to the caller that passed it in.
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

/** A copy of a Map that refuses every change; freezing alone would not do for a Map. */
function sealedMap<TKey, TValue>(
  entries: Iterable<readonly [TKey, TValue]>,
  where: string,
  member: string,
): Map<TKey, TValue> {
  const refuse = (): never => {
    throw sealedError(where, member);
  };
  // Own methods and no subclass, so that it still equals any other Map with the same entries.
  const map = new Map(entries);
  for (const mutator of ['set', 'delete', 'clear']) Object.defineProperty(map, mutator, { value: refuse });
  return Object.freeze(map);
}

/** The refusal of a change that comes after the model was compiled. */
export function sealedError(where: string, member: string): ToolwrightError<'TW_MODEL_SEALED'> {
  return new ToolwrightError('TW_MODEL_SEALED', {
    where,
    what: `is already compiled; its ${member} cannot change any more`,
    why: 'what clients were told must stay true',
    fix: 'make the change in the decorated class or builder it comes from, or in the model before it is sealed',
  });
}
