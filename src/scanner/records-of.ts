import type { UserDecorator } from '../call/middleware.ts';
import type { Class } from '../shared/class-type.ts';
import type { ScannedUserRecord } from './scanned-application.ts';
import { userRecords } from './user-values.ts';

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
