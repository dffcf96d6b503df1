import type { UnknownFields } from '../../metadata/options.ts';
import { isDateTime } from '../../schema/validator/formats.ts';
import { DEEPEST_LEVEL } from './copy-input.ts';
import type { ScalarClass } from './read-conversion.ts';

/** Copies an object or array that no class describes. Undefined: the libraries decide. */
export type CopyValue = (value: object, depth: number) => object | undefined;

/**
 * Copies JSON values like the check of names followed by class-transformer. Names that every object has
 * are rejected, or dropped if unknown fields are dropped.
 */
export function createCopy(unknownFields: UnknownFields): CopyValue {
  const isStrict = unknownFields === 'strict';
  const copyArray = (items: readonly unknown[], depth: number): object | undefined => {
    const copy: unknown[] = [];
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (typeof item === 'object' && item !== null) {
        const inner = copyValue(item, depth + 1);
        if (inner === undefined) return undefined;
        copy.push(inner);
        // class-transformer closes holes
      } else if (typeof item === 'function' || (item === undefined && !(index in items))) return undefined;
      else copy.push(item);
    }
    return copy;
  };
  const copyValue: CopyValue = (value, depth) => {
    if (depth > DEEPEST_LEVEL) return undefined;
    if (Array.isArray(value)) return copyArray(value, depth);
    if (!isPlain(value)) return undefined;
    const copy: Record<string, unknown> = {};
    for (const name in value) {
      const item = (value as Record<string, unknown>)[name];
      if (name in Object.prototype) {
        if (isStrict) return undefined;
      } else if (typeof item === 'object' && item !== null) {
        const inner = copyValue(item, depth + 1);
        if (inner === undefined) return undefined;
        copy[name] = inner;
      } else if (typeof item === 'function') return undefined;
      else copy[name] = item;
    }
    return copy;
  };
  return copyValue;
}

/** True for objects without a class, whose members `for … in` lists like `Object.keys`. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Converts a value that is neither null nor undefined. Undefined: the libraries have to do it. */
export type ConvertValue = (value: unknown, depth: number) => unknown;

/** The conversion of `@Type(() => String)` and the like; arrays are converted item by item. */
export function createConversion(type: ScalarClass, takesArrays: boolean): ConvertValue {
  const convertOne = (value: unknown): unknown => convertScalar(value, type);
  const convert: ConvertValue = (value, depth) => {
    if (!Array.isArray(value)) return convertOne(value);
    if (!takesArrays || depth > DEEPEST_LEVEL) return undefined;
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      // a list of dates holds dates
      if (type === Date && Array.isArray(item)) return undefined;
      const one = item === null || item === undefined ? item : convert(item, depth + 1);
      if (one === undefined && (item !== undefined || !(index in value))) return undefined;
      items.push(one);
    }
    return items;
  };
  return convert;
}

function convertScalar(value: unknown, type: ScalarClass): unknown {
  // class-transformer compares with the current global Date, which tests replace
  if (type === Date && value instanceof Date) return new Date(value.valueOf());
  if (typeof value === 'object' || typeof value === 'function') return undefined;
  const scalar = value as string | number;
  if (type === String) return String(scalar);
  if (type === Number) return Number(scalar);
  if (type === Boolean) return Boolean(scalar);
  // only the published form; the check of names reports the others
  return type === Date && isDateTime(value) ? new Date(scalar) : undefined;
}
