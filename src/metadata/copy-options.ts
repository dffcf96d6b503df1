import type { ModuleOptions } from './module-options.ts';
import { frozenCopy } from '../shared/deep-freeze.ts';
import { isPlainObject } from '../shared/json.ts';
import { isStandardSchema } from '../shared/schema-source.ts';

/** A frozen copy of a decorator's options. Classes and schema objects of libraries are shared. */
export function copyOptions<T extends object>(options: T): T {
  // The scanner reports a value that is not an object
  if (typeof options !== 'object' || (options as unknown) === null) return options;
  const copy = Object.entries(options).map(([name, value]: [string, unknown]) => [name, copyValue(value)]);
  return Object.freeze(Object.fromEntries(copy) as T);
}

/** A frozen copy of any value's plain parts. */
export function copyValue<T>(value: T): T {
  // Standard Schemas of some vendors are plain objects whose getters need their own `this`.
  return isStandardSchema(value) ? value : frozenCopy(value);
}

/** Copies lists and provider objects, but shares provided values and dynamic modules: they are identities. */
export function copyModuleOptions(options: ModuleOptions): ModuleOptions {
  if (typeof options !== 'object' || (options as unknown) === null) return options;
  const copy = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? Object.freeze(value.map((item: unknown) => copyItem(name, item))) : value,
  ]);
  return Object.freeze(Object.fromEntries(copy) as ModuleOptions);
}

function copyItem(list: string, item: unknown): unknown {
  if (list !== 'providers' || !isPlainObject(item)) return item;
  const inject = item['inject'];
  return Object.freeze({ ...item, ...(Array.isArray(inject) ? { inject: copyValue(inject) } : {}) });
}
