import { ToolwrightError } from '../errors/toolwright-error.ts';
import { takeInjections } from './injections.ts';
import { appendRecord, ownRecords } from './records.ts';
import { isClass, type Class } from '../shared/class-type.ts';

/** Makes a legacy class decorator. */
export function classDecorator(name: string, write: (target: Class) => void): ClassDecorator {
  return (target: unknown, context?: unknown) => {
    refuseStandardDialect(name, context);
    if (!isClass(target)) throw wrongTarget(name, 'a class', describe(target, context));
    write(target);
  };
}

/** Makes a legacy method decorator. */
export function methodDecorator(
  name: string,
  write: (target: Class, member: string | symbol, isStatic: boolean) => void,
): MethodDecorator {
  return (target: unknown, member: unknown, descriptor?: unknown) => {
    refuseStandardDialect(name, member);
    if (!isMember(member) || !isMethod(descriptor)) {
      throw wrongTarget(name, 'a method', describe(target, member));
    }
    if (typeof target === 'object') recordInjections(target as object, member);
    write(ownerOf(target), member, typeof target === 'function');
  };
}

/** What decorators of tsyringe say of its parameters; where one of Toolwright says something, that counts. */
function recordInjections(prototype: object, member: string | symbol): void {
  const injections = takeInjections(prototype);
  if (injections.size === 0) return;
  const owner = ownerOf(prototype);
  const known = ownRecords(owner, 'parameter').filter((record) => record.member === member);
  for (const [index, injection] of injections) {
    if (known.some((record) => record.index === index)) continue;
    const source = Object.freeze({ kind: 'tsyringe', injection } as const);
    appendRecord(owner, { kind: 'parameter', member, index, source });
  }
}

/** Makes a decorator for classes and methods; `member` is undefined on a class. */
export function classOrMethodDecorator(
  name: string,
  write: (target: Class, member: string | symbol | undefined) => void,
): ClassDecorator & MethodDecorator {
  const onClass = classDecorator(name, (target) => {
    write(target, undefined);
  });
  const onMethod = methodDecorator(name, write);
  const decorator = (target: object, member?: unknown, descriptor?: unknown): void => {
    if (isMember(member)) onMethod(target, member, descriptor as PropertyDescriptor);
    else (onClass as (target: object, context: unknown) => void)(target, member);
  };
  return decorator;
}

/** Makes a parameter decorator; `member` is undefined for a constructor's parameter. */
export function parameterDecorator(
  name: string,
  write: (target: Class, member: string | symbol | undefined, index: number) => void,
): ParameterDecorator {
  return (target: unknown, member: unknown, index: unknown) => {
    refuseStandardDialect(name, member);
    if (typeof index !== 'number') throw wrongTarget(name, 'a parameter', describe(target, member));
    write(ownerOf(target), member as string | symbol | undefined, index);
  };
}

/** Makes a property decorator. */
export function propertyDecorator(
  name: string,
  write: (target: Class, property: string | symbol) => void,
): PropertyDecorator {
  return (target: unknown, property: unknown, descriptor?: unknown) => {
    refuseStandardDialect(name, property);
    if (!isMember(property) || typeof descriptor === 'number' || isMethod(descriptor)) {
      throw wrongTarget(name, 'a property', describe(target, property));
    }
    write(ownerOf(target), property);
  };
}

/**
 * Refuses what a decorator would ignore: surplus arguments, and the target of a decorator that was written without
 * parentheses.
 * @throws ToolwrightError TW_DECORATOR_ARGUMENTS
 */
export function refuseFurther(name: string, taken: number, further: readonly unknown[], form: string): void {
  if (further.length === 0) return;
  const takes = taken === 0 ? 'no argument' : taken === 1 ? 'one argument' : `${String(taken)} arguments`;
  throw new ToolwrightError('TW_DECORATOR_ARGUMENTS', {
    where: name,
    what: `takes ${takes}, but was given ${String(taken + further.length)}.`,
    why: 'it would ignore the rest.',
    fix: `write ${form}`,
  });
}

function refuseStandardDialect(name: string, context: unknown): void {
  if (typeof context !== 'object' || context === null || !('kind' in context)) return;
  throw new ToolwrightError('TW_DECORATOR_DIALECT', {
    where: name,
    what: 'was called as a standard decorator, but it needs the legacy dialect.',
    why: 'standard decorators do not work on parameters and write no parameter types.',
    fix: 'in compilerOptions of tsconfig.json:\n    "experimentalDecorators": true,\n    "emitDecoratorMetadata": true',
  });
}

function wrongTarget(name: string, wanted: string, found: string): ToolwrightError {
  return new ToolwrightError('TW_DECORATOR_TARGET', {
    where: name,
    what: `belongs on ${wanted}, but stands on ${found}.`,
    fix: `move ${name} to ${wanted}`,
  });
}

function isMember(value: unknown): value is string | symbol {
  return typeof value === 'string' || typeof value === 'symbol';
}

function isMethod(descriptor: unknown): boolean {
  return (
    typeof descriptor === 'object' &&
    descriptor !== null &&
    typeof (descriptor as PropertyDescriptor).value === 'function'
  );
}

function ownerOf(target: unknown): Class {
  return typeof target === 'function' ? (target as Class) : ((target as object).constructor as Class);
}

function describe(target: unknown, member: unknown): string {
  if (typeof target !== 'function' && (typeof target !== 'object' || target === null)) return String(target);
  const owner = ownerOf(target).name;
  return isMember(member) ? `${owner}.${String(member)}` : owner;
}
