import type { Class } from '../shared/class-type.ts';
import { REDACTED, SHOWN_FORM } from '../errors/redact.ts';
import { propertyRecords } from './copied-properties.ts';
import { classChain } from './records.ts';

/** The properties of a class that have @Sensitive(), inherited ones included. */
export function sensitiveProperties(target: Class): ReadonlySet<string | symbol> {
  return new Set(
    classChain(target).flatMap((type) => propertyRecords(type, 'sensitive').map(({ property }) => property)),
  );
}

type Inspect = (value: unknown, options: object) => string;

// Node, Deno and Bun call the method of this name where they print a value.
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Lets logs, `util.inspect` and `console.log` show instances of a class without their sensitive values. */
export function redactInspection(target: Class): void {
  const prototype = target.prototype as object;
  Object.defineProperty(prototype, SHOWN_FORM, { value: shownForm, configurable: true, writable: true });
  // a class that prints itself in a way of its own keeps that
  if (INSPECT in prototype) return;
  Object.defineProperty(prototype, INSPECT, { value: inspectRedacted, configurable: true, writable: true });
}

function shownForm(this: object): object {
  const sensitive = sensitiveProperties(this.constructor as Class);
  const isHidden = (name: string, value: unknown): boolean =>
    sensitive.has(name) && (value ?? undefined) !== undefined;
  const members = Object.entries(this) as [string, unknown][];
  return Object.fromEntries(members.map(([name, value]) => [name, isHidden(name, value) ? REDACTED : value]));
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
