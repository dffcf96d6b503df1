import { types } from 'node:util';

/** Compares what two ways of checking built: prototypes, names and their order, values. Undefined when equal. */
export function difference(left: unknown, right: unknown, path = 'value'): string | undefined {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Object.is(left, right) ? undefined : `${path}: ${String(left)} and ${String(right)}`;
  }
  if (left === right) return undefined;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return `${path}: another prototype`;
  if (types.isDate(left) && types.isDate(right) && !Object.is(left.getTime(), right.getTime())) {
    return `${path}: another time`;
  }
  return memberDifference(left, right, path);
}

function memberDifference(left: object, right: object, path: string): string | undefined {
  const names = Reflect.ownKeys(left);
  const others = Reflect.ownKeys(right);
  if (names.length !== others.length || names.some((name, index) => name !== others[index])) {
    return `${path}: members ${names.map(String).join()} and ${others.map(String).join()}`;
  }
  for (const name of names) {
    const at = `${path}.${String(name)}`;
    const [one, other] = [memberOf(left, name), memberOf(right, name)];
    const isSameKind = one.enumerable === other.enumerable && one.writable === other.writable;
    const found = isSameKind ? difference(one.value, other.value, at) : `${at}: another kind of member`;
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(object: object, name: PropertyKey): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(object, name) ?? {};
}
