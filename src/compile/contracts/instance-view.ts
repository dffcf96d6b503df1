import { jsonView } from '../../call/handler-value.ts';
import { writeInstance } from '../../dto/check/class-stack.ts';
import { nestedClasses } from '../../dto/shape/nested-types.ts';
import { hasOwnNames } from '../../dto/shape/transformer-metadata.ts';
import { createValidationReader } from '../../dto/shape/validation-metadata.ts';
import type { Class } from '../../shared/class-type.ts';

/**
 * Compiles what JSON carries of a class's instances. Where class-transformer names or leaves out properties,
 * it writes the instance; otherwise JSON does, so that `toJSON` of the values in it counts.
 */
export function createInstanceView(type: Class): (value: unknown) => unknown {
  const isWritten = nestedClasses(type, createValidationReader()).some(hasOwnNames);
  if (!isWritten) return jsonView;
  const isInstance = (value: unknown): value is object => value instanceof type;
  return (value) => jsonView(isInstance(value) && !hasToJson(value) ? writeInstance(value) : value);
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
