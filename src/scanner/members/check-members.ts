import type { ProblemList } from '../../errors/problem-list.ts';
import { trueOrFalse } from '../../shared/option-rules.ts';
import { ownRecords, type Mark, type ParameterRecord } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { reportFaults } from '../check-options.ts';
import type { ScanFacet } from '../scan-facet.ts';
import { DECORATORS, memberName, type MemberKind } from './declared-members.ts';
import { checkFeatureUses, featureTraits } from './feature-uses.ts';

const MARKS: Readonly<Record<Mark, string>> = {
  destructive: '@Destructive',
  readOnly: '@ReadOnly',
  idempotent: '@Idempotent',
};
const SOURCES: Readonly<Record<ParameterRecord['source']['kind'], string>> = {
  input: '@Input',
  inject: '@Inject',
  context: '@Ctx',
  tsyringe: '@inject',
};

/**
 * Reports decorators of a class's methods that contradict each other or lack the decorator they belong to.
 * Methods that are `listing` the resources of a template may have parameter decorators on their own.
 */
export function checkMembers(
  type: Class,
  listing: ReadonlySet<string>,
  problems: ProblemList,
  features: readonly ScanFacet[] = [],
): void {
  checkRoles(type, problems);
  checkMarkConflicts(type, problems);
  checkMarks(type, features, problems);
  checkOpenWorld(type, problems);
  checkFeatureUses(type, features, problems);
  for (const { member, decorator } of companions(type, listing, features)) {
    const where = memberName(type, member);
    const roles = rolesOf(type, member);
    if (roles.some((role) => role !== '@Complete')) continue;
    const isCompleting = roles.length > 0;
    problems.at(where).add('TW_SCAN_ACTION_MISSING', {
      what: `has ${decorator} but no @Action, @Prompt or @Resource.`,
      why: isCompleting
        ? 'a method with @Complete gets the text typed so far and a CompletionContext, and nothing runs around it.'
        : 'it would have no effect; an override without a decorator of its own drops what it overrides.',
      fix: isCompleting
        ? `remove ${decorator}`
        : `@Action('…'), @Prompt('…') or @Resource('…') on ${where}, or remove ${decorator}`,
    });
  }
}

function companions(
  type: Class,
  listing: ReadonlySet<string>,
  features: readonly ScanFacet[],
): readonly { readonly member: string | symbol; readonly decorator: string }[] {
  const parameters = ownRecords(type, 'parameter').filter(
    ({ member }) => typeof member !== 'string' || !listing.has(member),
  );
  const found = [
    ...ownRecords(type, 'middleware').map(({ member }) => ({ member, decorator: '@Middleware' })),
    ...featureTraits(type, features).filter(({ why }) => why === undefined),
    ...parameters.map(({ member, source }) => ({ member, decorator: SOURCES[source.kind] })),
  ];
  return found.flatMap(({ member, decorator }) => (member === undefined ? [] : [{ member, decorator }]));
}

/** What only an action can have. */
function traitsOf(type: Class, features: readonly ScanFacet[]): readonly Trait[] {
  const marks = ownRecords(type, 'mark').map(({ member, mark }) => ({
    member,
    decorator: MARKS[mark],
    why: 'marks become annotations of a tool, and only actions are part of one.',
  }));
  const worlds = ownRecords(type, 'openWorld').map(({ member }) => ({
    member,
    decorator: '@OpenWorld',
    why: 'it becomes an annotation of a tool, and only actions are part of one.',
  }));
  const ofFeatures = featureTraits(type, features).flatMap(({ why, ...use }) =>
    why === undefined ? [] : [{ ...use, why }],
  );
  return [...marks, ...ofFeatures, ...worlds];
}

interface Trait {
  readonly member: string | symbol | undefined;
  readonly decorator: string;
  readonly why: string;
}

function checkMarks(type: Class, features: readonly ScanFacet[], problems: ProblemList): void {
  for (const { member, decorator, why } of traitsOf(type, features)) {
    if (member === undefined) continue;
    const where = memberName(type, member);
    const roles = rolesOf(type, member);
    const [role] = roles;
    if (roles.includes('@Action')) continue;
    if (role === undefined) {
      problems.at(where).add('TW_SCAN_ACTION_MISSING', {
        what: `has ${decorator} but no @Action.`,
        why: 'it would have no effect; an override without @Action drops the action.',
        fix: `@Action('…') on ${where}, or remove ${decorator}`,
      });
    } else {
      problems.at(where).add('TW_SCAN_MARK_MISPLACED', {
        what: `has ${decorator} beside ${role}.`,
        why,
        fix: `remove ${decorator}`,
      });
    }
  }
}

/** The nearest @OpenWorld counts, so there is one at a place. */
function checkOpenWorld(type: Class, problems: ProblemList): void {
  const decorator = '@OpenWorld';
  const seen = new Set<string>();
  for (const { member, isOpen } of ownRecords(type, 'openWorld')) {
    const here = problems.at(member === undefined ? type.name : memberName(type, member));
    reportFaults(trueOrFalse.faultsOf(isOpen, decorator), 'it', here);
    if (seen.has(here.where)) {
      here.add('TW_SCAN_DECORATOR_TWICE', { what: `has ${decorator} twice.`, fix: 'keep one of them' });
    }
    seen.add(here.where);
  }
}

function checkMarkConflicts(type: Class, problems: ProblemList): void {
  const marks = ownRecords(type, 'mark');
  const destructive = new Set(marks.flatMap(({ mark, member }) => (mark === 'destructive' ? [member] : [])));
  for (const { mark, member } of marks) {
    if (mark !== 'readOnly' || !destructive.has(member)) continue;
    problems.at(memberName(type, member)).add('TW_SCAN_MARK_CONFLICT', {
      what: 'is marked both @ReadOnly and @Destructive.',
      why: 'what changes nothing cannot destroy anything.',
      fix: 'remove @ReadOnly or @Destructive',
    });
  }
}

/** The roles that a class itself gives to one of its methods; more than one is a problem. */
export function rolesOf(type: Class, member: string | symbol): readonly string[] {
  return (Object.keys(DECORATORS) as MemberKind[])
    .filter((kind) => ownRecords(type, kind).some((record) => record.member === member))
    .map((kind) => DECORATORS[kind]);
}

/** Reports methods that are static, have one role twice, or have two roles. */
function checkRoles(type: Class, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const kind of Object.keys(DECORATORS) as MemberKind[]) {
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
  problems.at(memberName(type, member)).add('TW_SCAN_ROLE_CONFLICT', {
    what: `has ${roles.join(' and ')}.`,
    why: 'each of them calls the method in its own way and expects its own kind of result.',
    fix: 'keep one of them, and give the other one a method of its own',
  });
}

function checkKind(type: Class, kind: MemberKind, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const record of ownRecords(type, kind)) {
    const { member } = record;
    const where = memberName(type, member);
    // @Complete keeps no `isStatic`
    const isStatic =
      'isStatic' in record ? record.isStatic : !Object.hasOwn(type.prototype as object, member);
    if (isStatic) {
      problems.at(where).add('TW_SCAN_ACTION_STATIC', {
        what: `is static, but a method with ${DECORATORS[kind]} runs on an instance.`,
        fix: `remove \`static\` from ${where}`,
      });
    } else if (kind !== 'complete' && seen.has(member)) {
      problems.at(where).add('TW_SCAN_DECORATOR_TWICE', {
        what: `has ${DECORATORS[kind]} twice.`,
        fix: `keep one ${DECORATORS[kind]}, and give the other ${kind} a method of its own`,
      });
    } else seen.add(member);
  }
}
