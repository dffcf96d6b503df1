import type { ProblemList } from '../../errors/problem-list.ts';
import { classChain, ownRecords, type DeclaredRequirement } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { rolesOf } from '../members/check-members.ts';
import { memberName } from '../members/declared-members.ts';
import { declaredAt } from './scan-requirements.ts';

const NAMES: Readonly<Record<DeclaredRequirement['kind'], string>> = {
  public: '@Public',
  authenticated: '@Authenticated',
  scopes: '@Scopes',
  roles: '@Roles',
  policy: '@Policy',
};

/** Reports requirements of a class and its methods that contradict each other, or that nothing has to meet. */
export function checkRequirements(type: Class, problems: ProblemList): void {
  const members = new Set(ownRecords(type, 'requirement').map(({ member }) => member));
  for (const member of members) {
    const where = member === undefined ? type.name : memberName(type, member);
    checkPublic(declaredAt(type, member), where, problems);
    if (member !== undefined) checkMember(type, member, problems);
  }
}

function checkPublic(declared: readonly DeclaredRequirement[], where: string, problems: ProblemList): void {
  const other = declared.find(({ kind }) => kind !== 'public');
  if (other === undefined || !declared.some(({ kind }) => kind === 'public')) return;
  problems.at(where).add('TW_SCAN_REQUIREMENT_CONFLICT', {
    what: `has @Public and ${NAMES[other.kind]}.`,
    why: 'what is open to everybody requires nothing.',
    fix: `remove @Public or ${NAMES[other.kind]}`,
  });
}

function checkMember(type: Class, member: string | symbol, problems: ProblemList): void {
  const where = memberName(type, member);
  const [first] = declaredAt(type, member);
  const roles = rolesOf(type, member);
  if (first === undefined) return;
  const name = NAMES[first.kind];
  if (roles.length === 0) {
    problems.at(where).add('TW_SCAN_ACTION_MISSING', {
      what: `has ${name} but no @Action, @Prompt, @Resource or @Complete.`,
      why: 'it would have no effect; an override without a decorator of its own drops what it overrides.',
      fix: `@Action('…'), @Prompt('…') or @Resource('…') on ${where}, or remove ${name}`,
    });
  } else if (first.kind === 'public' && roles.includes('@Complete')) {
    problems.at(where).add('TW_SCAN_REQUIREMENT_CONFLICT', {
      what: 'has @Public beside @Complete.',
      why: 'a completion requires what the prompt or resource requires whose argument it completes.',
      fix: 'remove @Public, or move it to that prompt or resource',
    });
  }
}

/** Reports @Public on a group below one that requires something: only a method can be lifted out of its groups. */
export function checkPublicGroups(paths: Iterable<GroupPath>, problems: ProblemList): void {
  for (const path of paths) {
    const group = path.at(-1);
    if (group === undefined || !has(group.type, (kind) => kind === 'public')) continue;
    const above = path.slice(0, -1).find(({ type }) => has(type, (kind) => kind !== 'public'));
    if (above === undefined) continue;
    problems.at(group.type.name).add('TW_SCAN_REQUIREMENT_CONFLICT', {
      what: `has @Public below ${above.type.name}, which requires something of its callers.`,
      why: 'the requirements of groups add up, and only @Public on a method lifts them.',
      fix: `remove @Public from ${group.type.name}, and put it on the methods that are meant`,
    });
  }
}

function has(type: Class, isMeant: (kind: DeclaredRequirement['kind']) => boolean): boolean {
  return classChain(type).some((owner) => declaredAt(owner, undefined).some(({ kind }) => isMeant(kind)));
}
