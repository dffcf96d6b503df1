import type { Class } from '../shared/class-type.ts';
import { REDACTED } from '../errors/redact.ts';
import { classChain, ownRecords } from './records.ts';

/** The properties of a class that have @Sensitive(), inherited ones included. */
export function sensitiveProperties(target: Class): ReadonlySet<string | symbol> {
  return new Set(
    classChain(target).flatMap((type) => ownRecords(type, 'sensitive').map(({ property }) => property)),
  );
}

type Inspect = (value: unknown, options: object) => string;

// Node, Deno and Bun call the method of this name where they print a value.
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Lets `util.inspect` and `console.log` print instances of a class without their sensitive values. */
export function redactInspection(target: Class): void {
  const prototype = target.prototype as object;
  // a class that prints itself in a way of its own keeps that
  if (INSPECT in prototype) return;
  Object.defineProperty(prototype, INSPECT, { value: inspectRedacted, configurable: true, writable: true });
}

function inspectRedacted(this: object, depth: number, options: object, inspect: Inspect): string {
  const members = Object.getOwnPropertyDescriptors(this) as Record<string | symbol, PropertyDescriptor>;
  for (const property of sensitiveProperties(this.constructor as Class)) {
    const member = members[property];
    const isEmpty = member !== undefined && 'value' in member && (member.value ?? undefined) === undefined;
    if (member !== undefined && !isEmpty) members[property] = { value: REDACTED, enumerable: true };
  }
  // without this the copy would be printed by this method again
  members[INSPECT] = { value: undefined, enumerable: false };
  return inspect(Object.create(Object.getPrototypeOf(this) as object, members), { ...options, depth });
}
