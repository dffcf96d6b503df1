import 'reflect-metadata';

/** What a decorator of another library has written about a class, a method or a property; inherited, too. */
export function readForeignMetadata(key: string, target: object, member?: string | symbol): unknown {
  return member === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, member);
}
