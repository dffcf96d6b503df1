import type { Class } from '../shared/class-type.ts';

/** `TasksController.create()`. */
export function memberName(type: Class, member: string | symbol): string {
  return `${type.name}.${String(member)}()`;
}
