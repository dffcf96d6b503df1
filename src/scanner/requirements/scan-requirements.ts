import type { Denied, PolicyObject } from '../../call/requirements.ts';
import type { ProblemPlace } from '../../errors/problem-list.ts';
import { classChain, ownRecords, type DeclaredRequirement } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import type { GroupPath } from '../groups/group-tree.ts';
import { memberName, type Controller, type MethodDraft } from '../members/declared-members.ts';
import type { CallableScene } from '../members/scan-callable.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import type { ProviderKey } from '../providers/scanned-provider.ts';
import { readRequirement } from './read-requirement.ts';

/** What the callers of an action, prompt or resource have to be. */
export interface ScannedRequirements {
  /** Nothing is required, not even to be signed in. */
  readonly isPublic: boolean;
  /** All of them have to be met; those of the outermost group come first. */
  readonly all: readonly ScannedRequirement[];
}

export type ScannedRequirement =
  | { readonly kind: 'authenticated' }
  | {
      readonly kind: 'scopes';
      /** One of each list. */
      readonly allOf: readonly (readonly string[])[];
      readonly denied: Denied | undefined;
    }
  | { readonly kind: 'roles'; readonly anyOf: readonly string[]; readonly denied: Denied | undefined }
  | { readonly kind: 'policy'; readonly policy: ScannedPolicy; readonly denied: Denied | undefined };

/** A policy, and what it decides. */
export type ScannedPolicy = {
  /** For messages. */
  readonly name: string;
  readonly hasList: boolean;
  readonly hasCall: boolean;
} & (
  | { readonly kind: 'object'; readonly policy: PolicyObject }
  | { readonly kind: 'provider'; readonly key: ProviderKey }
);

/** The requirements of @Public: none. */
export const PUBLIC: ScannedRequirements = Object.freeze({ isPublic: true, all: Object.freeze([]) });

/**
 * The requirements of a method: those of the groups on the path and of its class, then its own. They add up, and only
 * @Public on the method itself lifts them.
 */
export function scanRequirements(
  { controller, owner, member, where }: MethodDraft,
  path: GroupPath,
  scene: CallableScene,
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
  scene: CallableScene,
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
  scene: CallableScene,
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
