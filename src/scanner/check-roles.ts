import type { ProblemList } from '../errors/problem-list.ts';
import { ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { memberName } from './member-name.ts';

const ROLES = { action: '@Action', prompt: '@Prompt', resource: '@Resource', complete: '@Complete' } as const;
type RoleKind = keyof typeof ROLES;

/** The decorators that say what a method is for. */
export type Role = (typeof ROLES)[RoleKind];

/** What a class itself says one of its methods is for; more than one is a problem. */
export function rolesOf(type: Class, member: string | symbol): readonly Role[] {
  return (Object.keys(ROLES) as RoleKind[])
    .filter((kind) => ownRecords(type, kind).some((record) => record.member === member))
    .map((kind) => ROLES[kind]);
}

/** Reports methods that are static, have one role twice, or have two roles. */
export function checkRoles(type: Class, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const kind of Object.keys(ROLES) as RoleKind[]) {
    for (const { member } of ownRecords(type, kind)) {
      if (!seen.has(member)) checkConflict(type, member, problems);
      seen.add(member);
    }
    checkKind(type, kind, problems);
  }
}

function checkConflict(type: Class, member: string | symbol, problems: ProblemList): void {
  const roles = rolesOf(type, member);
  if (roles.length < 2) return;
  problems.add('TW_SCAN_ROLE_CONFLICT', {
    where: memberName(type, member),
    what: `has ${roles.join(' and ')}.`,
    why: 'each of them calls the method in another way and expects another result.',
    fix: 'keep one of them, and give the other one a method of its own',
  });
}

function checkKind(type: Class, kind: RoleKind, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const record of ownRecords(type, kind)) {
    const { member } = record;
    const where = memberName(type, member);
    // @Complete keeps no `isStatic`
    const isStatic =
      'isStatic' in record ? record.isStatic : !Object.hasOwn(type.prototype as object, member);
    if (isStatic) {
      problems.add('TW_SCAN_ACTION_STATIC', {
        where,
        what: `is static, but a method with ${ROLES[kind]} runs on an instance.`,
        fix: `remove \`static\` from ${where}`,
      });
    } else if (kind !== 'complete' && seen.has(member)) {
      problems.add('TW_SCAN_DECORATOR_TWICE', {
        where,
        what: `has ${ROLES[kind]} twice.`,
        fix: `keep one ${ROLES[kind]}, and give the other ${kind} a method of its own`,
      });
    } else seen.add(member);
  }
}
