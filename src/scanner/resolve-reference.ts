import { resolveClass } from '../shared/class-type.ts';

/** What `Class` or `() => Class` stands for; undefined when the class does not exist. */
export function resolveReference(reference: unknown): unknown {
  try {
    return resolveClass(reference);
  } catch {
    // `() => LateClass` throws a ReferenceError while LateClass has not been evaluated
    return undefined;
  }
}
