import 'reflect-metadata';
import { originsOf } from './copied-properties.ts';
import { classChain } from './records.ts';
import { isClass, type AbstractClass, type Class } from '../shared/class-type.ts';
import { afterThisTurn } from '../shared/platform.ts';

/** What remains of a type at run time. */
export type DesignType =
  /** No types: `emitDecoratorMetadata` is off, the compiler has no such option, or no decorator stands there. */
  | { readonly kind: 'notEmitted' }
  /** An interface, alias, union or `any`; with swc and oxc also a class imported with `import type`. */
  | { readonly kind: 'erased' }
  /** With tsc a class imported with `import type`; or a callback type. */
  | { readonly kind: 'function' }
  /** A circular import: the class did not exist when the decorator ran. */
  | { readonly kind: 'circular' }
  | { readonly kind: 'primitive'; readonly name: string }
  | { readonly kind: 'class'; readonly type: AbstractClass };

/** The parameter types of a constructor or method. */
interface Signature {
  readonly isEmitted: boolean;
  /** One per parameter. Without emitted types the list ends at the first default value, as `length` does. */
  readonly types: readonly DesignType[];
}

const NOT_EMITTED: DesignType = Object.freeze({ kind: 'notEmitted' });
const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Promise, Symbol, BigInt]);

/** The class's own constructor; undefined when it has none, as far as can be known. */
export function constructorSignature(type: Class): Signature | undefined {
  const emitted: unknown = Reflect.getOwnMetadata('design:paramtypes', type);
  if (emitted === undefined && type.length === 0) return undefined;
  return signature(emitted, type.length);
}

/** A method that the class itself declares. */
export function methodSignature(type: Class, member: string | symbol): Signature {
  const prototype = type.prototype as object;
  const method: unknown = Object.getOwnPropertyDescriptor(prototype, member)?.value;
  const emitted: unknown = Reflect.getOwnMetadata('design:paramtypes', prototype, member);
  return signature(emitted, typeof method === 'function' ? method.length : 0);
}

/**
 * The first parameter of a method that has a default value; undefined when none has, as far as can be known.
 * `length` ends at either; the source distinguishes a default value from `...rest`, which wrappers of other decorators
 * have.
 */
export function defaultedParameter(type: Class, member: string | symbol): number | undefined {
  const method: unknown = Object.getOwnPropertyDescriptor(type.prototype as object, member)?.value;
  if (typeof method !== 'function') return undefined;
  const source = Function.prototype.toString.call(method);
  return /^[^(]*\([^)]*?[^=!<>]=(?![=>])/.test(source) ? method.length : undefined;
}

/** True when the compiler wrote down the type of a method of this very class, so that it writes types at all. */
export function hasMethodTypes(type: Class): boolean {
  const prototype = type.prototype as object;
  return Reflect.ownKeys(prototype).some((member) =>
    Reflect.hasOwnMetadata('design:type', prototype, member),
  );
}

let typesOfThisTurn: Map<Class, Map<string | symbol, DesignType>> | undefined;

/**
 * The type of a decorated property, inherited ones included. Each is asked for several times while its class is read,
 * during which no class changes; Reflect searches its registry for each answer.
 */
export function propertyType(type: Class, property: string | symbol): DesignType {
  if (typesOfThisTurn === undefined) afterThisTurn(() => (typesOfThisTurn = undefined));
  typesOfThisTurn ??= new Map();
  const known = typesOfThisTurn.get(type) ?? new Map<string | symbol, DesignType>();
  typesOfThisTurn.set(type, known);
  let found = known.get(property);
  if (found !== undefined) return found;
  found = readPropertyType(type.prototype as object, property);
  // The compiler's decorator is the last one of a property: what is not there yet may still come
  if (found.kind !== 'notEmitted') known.set(property, found);
  return found;
}

function readPropertyType(prototype: object, property: string | symbol): DesignType {
  const emitted: unknown = Reflect.getMetadata('design:type', prototype, property);
  if (emitted !== undefined || Reflect.hasMetadata('design:type', prototype, property))
    return diagnose(emitted);
  return typeof property === 'string' ? copiedType(prototype, property) : NOT_EMITTED;
}

/** The type of a property that a class was given as a copy: the compiler wrote it on the class that it was copied from. */
function copiedType(prototype: object, property: string): DesignType {
  for (const type of classChain(prototype.constructor as Class)) {
    for (const origin of originsOf(type).get(property) ?? []) {
      const emitted: unknown = Reflect.getMetadata('design:type', origin.prototype as object, property);
      if (emitted !== undefined) return diagnose(emitted);
    }
  }
  return NOT_EMITTED;
}

function signature(emitted: unknown, length: number): Signature {
  if (Array.isArray(emitted)) {
    return Object.freeze({ isEmitted: true, types: Object.freeze(Array.from(emitted, diagnose)) });
  }
  const types = Object.freeze(Array.from({ length }, () => NOT_EMITTED));
  return Object.freeze({ isEmitted: false, types });
}

function diagnose(emitted: unknown): DesignType {
  if (emitted === undefined) return Object.freeze({ kind: 'circular' });
  if (emitted === Function) return Object.freeze({ kind: 'function' });
  if (PRIMITIVES.has(emitted)) return Object.freeze({ kind: 'primitive', name: (emitted as Class).name });
  if (!isClass(emitted) || (emitted as unknown) === Object) return Object.freeze({ kind: 'erased' });
  return Object.freeze({ kind: 'class', type: emitted });
}

/** What a decorator of another library has written about a class, a method or a property; inherited, too. */
export function readForeignMetadata(key: string, target: object, member?: string | symbol): unknown {
  return member === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, member);
}
