import type { PlainObject } from '../../shared/json.ts';

/** True for a node that stands for another one. */
export function isReference(node: PlainObject): boolean {
  return Object.hasOwn(node, '$ref') || Object.hasOwn(node, '$dynamicRef');
}

/** The keyword by which it does. */
export function referenceOf(node: PlainObject): '$ref' | '$dynamicRef' {
  return Object.hasOwn(node, '$ref') ? '$ref' : '$dynamicRef';
}
