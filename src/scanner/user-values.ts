import type { UserDecoratorValue } from '../call/middleware.ts';
import { classChain, ownRecords, type UserRecord } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import type { GroupNode } from './group-node.ts';
import type { MethodDraft } from './method-draft.ts';
import type { ScannedUserRecord } from './scanned-application.ts';

/** What user decorators say of a method: itself over its class over the groups above its place. */
export function userValues(method: MethodDraft, path: readonly GroupNode[]): readonly UserDecoratorValue[] {
  const groups = [method.controller.type, ...[...path].reverse().map((group) => group.type)];
  const nearestFirst = [
    ...recordsOf(method.controller.type, method.member),
    ...groups.flatMap((type) => recordsOf(type, undefined)),
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
function recordsOf(target: Class, member: string | symbol | undefined): readonly UserRecord[] {
  return classChain(target).flatMap((type) =>
    ownRecords(type, 'user')
      .filter((record) => record.member === member)
      .reverse(),
  );
}
