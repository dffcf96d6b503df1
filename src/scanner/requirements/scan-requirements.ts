import type { ProblemPlace } from '../../errors/problem-list.ts';
import { classChain, ownRecords, type DeclaredRequirement } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { memberName, type Controller, type MethodDraft } from '../members/declared-members.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import { readRequirement, type RequirementScene } from './read-requirement.ts';
import { PUBLIC, type ScannedRequirement, type ScannedRequirements } from './scanned-requirements.ts';

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
export function memberRequirements(owner: Class, member: string | symbol): readonly DeclaredRequirement[] {
  const [own = [], ...inherited] = classChain(owner).map((type) => declaredAt(type, member));
  if (own.some(({ kind }) => kind === 'public')) return own;
  return [...inherited.reverse().flat(), ...own].filter(({ kind }) => kind !== 'public');
}

/** What a decorator requires on a class or method itself, the upper one first. */
export function declaredAt(type: Class, member: string | symbol | undefined): readonly DeclaredRequirement[] {
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
