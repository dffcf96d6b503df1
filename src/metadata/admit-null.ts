import { ValidateIf } from 'class-validator';
import type { Class } from '../shared/class-type.ts';

/** The condition of `@Field({ nullable: true })`: null is what the field may be, so no validator is asked about it. */
export function isNotNull(_object: object, value: unknown): boolean {
  return value !== null;
}

/** Tells class-validator that a property may be null; what reads its records then knows it, too. */
export function admitNull(target: Class, property: string | symbol): void {
  ValidateIf(isNotNull)(target.prototype as object, property);
}
