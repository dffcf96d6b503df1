import type { UserDecorator, UserDecoratorValue } from '../../call/middleware.ts';
import { classChain, ownRecords, type UserRecord } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupNode } from '../groups/group-tree.ts';
import type { MethodDraft } from './declared-members.ts';

/** The values of user decorators for a method: its own over its class's over those of the groups above its place. */
export function userValues(method: MethodDraft, path: readonly GroupNode[]): readonly UserDecoratorValue[] {
  const groups = [method.controller.type, ...[...path].reverse().map((group) => group.type)];
  const nearestFirst = [
    ...nearestRecords(method.controller.type, method.member),
    ...groups.flatMap((type) => nearestRecords(type, undefined)),
  ];
  const values = new Map<unknown, UserDecoratorValue>();
  for (const { decorator, value } of nearestFirst) {
    if (!values.has(decorator)) values.set(decorator, Object.freeze({ decorator, value }));
  }
  return Object.freeze([...values.values()]);
}

/** Every use of a user decorator on the classes; a class's own use replaces the one it inherits. */
export function userRecords(classes: readonly Class[]): readonly ScannedUserRecord[] {
  return Object.freeze([...new Set(classes)].flatMap(recordsOfClass));
}

function recordsOfClass(target: Class): readonly ScannedUserRecord[] {
  let found: readonly UserRecord[] = [];
  for (const type of [...classChain(target)].reverse()) {
    const own = ownRecords(type, 'user');
    found = [...found.filter((record) => !own.some((other) => isSamePlace(record, other))), ...own];
  }
  return found.map(({ decorator, member, value }) => Object.freeze({ decorator, target, member, value }));
}

function isSamePlace(left: UserRecord, right: UserRecord): boolean {
  return left.decorator === right.decorator && left.member === right.member;
}

/** The nearest first: a class before its base class, the upper of stacked decorators before the lower. */
function nearestRecords(target: Class, member: string | symbol | undefined): readonly UserRecord[] {
  return classChain(target).flatMap((type) =>
    ownRecords(type, 'user')
      .filter((record) => record.member === member)
      .reverse(),
  );
}

/** One use of a user decorator. */
export interface ScannedUserRecord {
  /** The decorator, as `createDecorator` made it. */
  readonly decorator: UserDecorator<unknown>;
  /** The class that has it, itself or on a method. */
  readonly target: Class;
  /** Undefined when it stands on the class. */
  readonly member: string | symbol | undefined;
  /** What the decorator was given. */
  readonly value: unknown;
}

/**
 * Every use of a decorator made by `createDecorator` on a class and its members, in source order, those of base
 * classes first. For what is to be known of a class before there is an application; afterwards `app.records` lists
 * them all.
 *
 * @example
 * const Label = createDecorator<string>('Label');
 * const labels = recordsOf(Label, TasksController).map(({ member, value }) => [member, value]);
 */
export function recordsOf<T>(
  decorator: UserDecorator<T>,
  target: Class,
): readonly (ScannedUserRecord & { readonly value: T })[] {
  return userRecords([target]).filter(
    (record): record is ScannedUserRecord & { readonly value: T } => record.decorator === decorator,
  );
}
