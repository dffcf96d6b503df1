import { timeLimitRule } from '../call/time-limit.ts';
import { reportOptions } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { type Mark, type ParameterRecord, ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { optionReport } from './check-options.ts';
import { checkRoles, rolesOf } from './check-roles.ts';
import { memberName } from './member-name.ts';

const MARKS: Readonly<Record<Mark, string>> = {
  destructive: '@Destructive',
  readOnly: '@ReadOnly',
  idempotent: '@Idempotent',
  openWorld: '@OpenWorld',
};
const SOURCES: Readonly<Record<ParameterRecord['source']['kind'], string>> = {
  input: '@Input',
  inject: '@Inject',
  context: '@Ctx',
};

/**
 * Reports decorators of one class's methods that contradict each other or have nothing to go with.
 * Methods that are `listing` the resources of a template may have parameter decorators on their own.
 */
export function checkMembers(type: Class, listing: ReadonlySet<string>, problems: ProblemList): void {
  checkRoles(type, problems);
  checkMarkConflicts(type, problems);
  checkMarks(type, problems);
  checkTimeouts(type, problems);
  for (const { member, decorator } of companions(type, listing)) {
    const where = memberName(type, member);
    const roles = rolesOf(type, member);
    if (roles.some((role) => role !== '@Complete')) continue;
    const isCompleting = roles.length > 0;
    problems.add('TW_SCAN_ACTION_MISSING', {
      where,
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
): readonly { readonly member: string | symbol; readonly decorator: string }[] {
  const parameters = ownRecords(type, 'parameter').filter(
    ({ member }) => typeof member !== 'string' || !listing.has(member),
  );
  const found = [
    ...ownRecords(type, 'middleware').map(({ member }) => ({ member, decorator: '@Middleware' })),
    ...ownRecords(type, 'timeout').map(({ member }) => ({ member, decorator: '@Timeout' })),
    ...parameters.map(({ member, source }) => ({ member, decorator: SOURCES[source.kind] })),
  ];
  return found.flatMap(({ member, decorator }) => (member === undefined ? [] : [{ member, decorator }]));
}

function checkMarks(type: Class, problems: ProblemList): void {
  for (const { member, mark } of ownRecords(type, 'mark')) {
    const where = memberName(type, member);
    const roles = rolesOf(type, member);
    const [role] = roles;
    if (roles.includes('@Action')) continue;
    if (role === undefined) {
      problems.add('TW_SCAN_ACTION_MISSING', {
        where,
        what: `has ${MARKS[mark]} but no @Action.`,
        why: 'it would have no effect; an override without @Action drops the action.',
        fix: `@Action('…') on ${where}, or remove ${MARKS[mark]}`,
      });
    } else {
      problems.add('TW_SCAN_MARK_MISPLACED', {
        where,
        what: `has ${MARKS[mark]} beside ${role}.`,
        why: 'marks become annotations of a tool, and only actions are part of one.',
        fix: `remove ${MARKS[mark]}`,
      });
    }
  }
}

function checkTimeouts(type: Class, problems: ProblemList): void {
  const seen = new Set<string | symbol | undefined>();
  for (const { member, milliseconds } of ownRecords(type, 'timeout')) {
    const where = member === undefined ? type.name : memberName(type, member);
    const faults = timeLimitRule.faultsOf(milliseconds, '@Timeout');
    reportOptions(faults, optionReport({ where, of: 'it' }), problems);
    if (seen.has(member)) {
      problems.add('TW_SCAN_DECORATOR_TWICE', {
        where,
        what: 'has @Timeout twice.',
        fix: 'keep one of them',
      });
    }
    seen.add(member);
  }
}

function checkMarkConflicts(type: Class, problems: ProblemList): void {
  const marks = ownRecords(type, 'mark');
  const destructive = new Set(marks.flatMap(({ mark, member }) => (mark === 'destructive' ? [member] : [])));
  for (const { mark, member } of marks) {
    if (mark !== 'readOnly' || !destructive.has(member)) continue;
    problems.add('TW_SCAN_MARK_CONFLICT', {
      where: memberName(type, member),
      what: 'is marked both @ReadOnly and @Destructive.',
      why: 'what changes nothing cannot destroy anything.',
      fix: 'remove @ReadOnly or @Destructive',
    });
  }
}
