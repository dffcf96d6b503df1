type ClassDecorator = (target: object) => object | undefined;
type MemberDecorator = (
  target: object,
  member: PropertyKey,
  descriptor?: PropertyDescriptor,
) => PropertyDescriptor | undefined;

/** Applies decorators as tsc does: the last one first, of a class or of a member. */
export function decorate(
  decorators: readonly (ClassDecorator | MemberDecorator)[],
  target: object,
  member?: PropertyKey,
  given?: PropertyDescriptor | null,
): unknown {
  if (member === undefined) return decorateClass(decorators as readonly ClassDecorator[], target);
  // `null` asks for the descriptor of a method or accessor, undefined stands for a field.
  const found = given === null ? Object.getOwnPropertyDescriptor(target, member) : given;
  let descriptor = found;
  for (const decorator of [...decorators].reverse() as MemberDecorator[]) {
    const made = found === undefined ? decorator(target, member) : decorator(target, member, descriptor);
    if (made) descriptor = made;
  }
  if (descriptor) Object.defineProperty(target, member, descriptor);
  return descriptor;
}

function decorateClass(decorators: readonly ClassDecorator[], target: object): object {
  let type = target;
  for (const decorator of [...decorators].reverse()) {
    const made = decorator(type);
    if (made) type = made;
  }
  return type;
}

/** Makes a decorator of the parameter at an index. */
export function decorateParam(
  index: number,
  decorator: (target: object, member: PropertyKey | undefined, index: number) => void,
): MemberDecorator {
  return (target, member) => {
    decorator(target, member, index);
    return undefined;
  };
}

/** Records a type, if `reflect-metadata` is loaded. */
export function decorateMetadata(key: string, types: unknown): unknown {
  const { metadata } = Reflect as {
    readonly metadata?: (key: string, value: unknown) => unknown;
  };
  if (typeof metadata !== 'function') return () => undefined;
  return metadata(key, Array.isArray(types) ? types.map(typeOf) : typeOf(types));
}

/** The compiler sees one file at a time, and so writes an imported enum as the object that it is. */
function typeOf(type: unknown): unknown {
  if (typeof type !== 'object' || type === null) return type;
  const members = Object.entries(type);
  // Numeric members have an entry back to their name.
  const values = members.filter(([name]) => !/^-?\d/.test(name)).map(([, value]) => typeof value);
  if (values.length > 0 && values.every((kind) => kind === 'string')) return String;
  return values.length > 0 && values.every((kind) => kind === 'number') ? Number : Object;
}
