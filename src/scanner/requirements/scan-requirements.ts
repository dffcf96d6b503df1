import type { ProblemPlace, ProblemList } from '../../errors/problem-list.ts';
import { classChain, ownRecords, type DeclaredRequirement } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { memberName, type Controller, type MethodDraft } from '../members/declared-members.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import { readRequirement, type RequirementScene } from './read-requirement.ts';
import { PUBLIC, type ScannedRequirement, type ScannedRequirements } from './scanned-requirements.ts';
import { rolesOf } from '../members/check-members.ts';

/**
 * The requirements of a method: those of the groups on the path and of its class, then its own. They add up, and only
 * @Public on the method itself lifts them.
 */
export function scanRequirements(
  { controller, owner, member, where }: MethodDraft,
  path: GroupPath,
  scene: RequirementScene,
): ScannedRequirements | undefined {
  const own = memberRequirements(owner, member);
  if (own.some(({ kind }) => kind === 'public')) return PUBLIC;
  const holders = [...path.map((group) => group.controller), controller];
  const ofClasses = unique(holders).flatMap((holder) => classRequirements(holder));
  const declared = [...ofClasses, ...own.map((requirement) => ({ requirement, home: controller.home }))];
  return scanDeclared(declared, scene.problems.at(where), scene);
}

/** The requirements of a completing method: those of what it completes, and its own. */
export function scanCompletionRequirements(
  completed: ScannedRequirements | undefined,
  { type, home }: Controller,
  member: string | symbol,
  scene: RequirementScene,
): ScannedRequirements | undefined {
  const declared = memberRequirements(type, member).filter(({ kind }) => kind !== 'public');
  const own = scanDeclared(
    declared.map((requirement) => ({ requirement, home })),
    scene.problems.at(memberName(type, member)),
    scene,
  );
  if (own === undefined) return completed;
  return Object.freeze({ isPublic: false, all: Object.freeze([...(completed?.all ?? []), ...own.all]) });
}

/** The requirements of a method by itself. An override keeps them, and has to repeat @Public. */
function memberRequirements(owner: Class, member: string | symbol): readonly DeclaredRequirement[] {
  const [own = [], ...inherited] = classChain(owner).map((type) => declaredAt(type, member));
  if (own.some(({ kind }) => kind === 'public')) return own;
  return [...inherited.reverse().flat(), ...own].filter(({ kind }) => kind !== 'public');
}

/** What a decorator requires on a class or method itself, the upper one first. */
function declaredAt(type: Class, member: string | symbol | undefined): readonly DeclaredRequirement[] {
  return ownRecords(type, 'requirement')
    .filter((record) => record.member === member)
    .map(({ requirement }) => requirement)
    .reverse();
}

/** A requirement, and the module in which its policy is looked up. */
interface PlacedRequirement {
  readonly requirement: DeclaredRequirement;
  readonly home: ModuleNode;
}

function classRequirements({ type, home }: Controller): readonly PlacedRequirement[] {
  return [...classChain(type)]
    .reverse()
    .flatMap((owner) => declaredAt(owner, undefined).map((requirement) => ({ requirement, home })));
}

function scanDeclared(
  declared: readonly PlacedRequirement[],
  here: ProblemPlace,
  scene: RequirementScene,
): ScannedRequirements | undefined {
  if (declared.length === 0) return undefined;
  const seen = new Set<DeclaredRequirement>();
  const all: ScannedRequirement[] = [];
  for (const { requirement, home } of declared) {
    // A group may extend its own parent; what stands on that class counts once
    if (requirement.kind === 'public' || seen.has(requirement)) continue;
    seen.add(requirement);
    const read = readRequirement(requirement, { where: here.where, home }, scene);
    if (read !== undefined) all.push(read);
  }
  // What could not be read has been reported; nothing becomes public by a mistake
  return seen.size === 0 ? PUBLIC : Object.freeze({ isPublic: false, all: Object.freeze(all) });
}

function unique(controllers: readonly Controller[]): readonly Controller[] {
  return [...new Map(controllers.map((controller) => [controller.type, controller])).values()];
}

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
