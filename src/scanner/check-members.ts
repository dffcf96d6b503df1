import type { ProblemList } from '../errors/problem-list.ts';
import type { Mark, ParameterRecord } from '../metadata/records.ts';
import { ownRecords } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';

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

/** `TasksController.create()`. */
export function memberName(type: Class, member: string | symbol): string {
  return `${type.name}.${String(member)}()`;
}

/** Reports decorators of one class's methods that contradict each other or have no @Action to go with. */
export function checkMembers(type: Class, problems: ProblemList): void {
  checkActionRecords(type, problems);
  checkMarks(type, problems);
  const actions = new Set(ownRecords(type, 'action').map((record) => record.member));
  for (const { member, decorator } of companions(type)) {
    if (actions.has(member)) continue;
    const where = memberName(type, member);
    problems.add('TW_SCAN_ACTION_MISSING', {
      where,
      what: `has ${decorator} but no @Action.`,
      why: 'it would have no effect; an override without @Action drops the action.',
      fix: `@Action('…') on ${where}, or remove ${decorator}`,
    });
  }
}

function companions(
  type: Class,
): readonly { readonly member: string | symbol; readonly decorator: string }[] {
  const found = [
    ...ownRecords(type, 'mark').map(({ member, mark }) => ({ member, decorator: MARKS[mark] })),
    ...ownRecords(type, 'middleware').map(({ member }) => ({ member, decorator: '@Middleware' })),
    ...ownRecords(type, 'parameter').map(({ member, source }) => ({
      member,
      decorator: SOURCES[source.kind],
    })),
  ];
  return found.flatMap(({ member, decorator }) => (member === undefined ? [] : [{ member, decorator }]));
}

function checkActionRecords(type: Class, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const { member, isStatic } of ownRecords(type, 'action')) {
    const where = memberName(type, member);
    if (isStatic) {
      problems.add('TW_SCAN_ACTION_STATIC', {
        where,
        what: 'is static, but an action runs on an instance.',
        fix: `remove \`static\` from ${where}`,
      });
    } else if (seen.has(member)) {
      problems.add('TW_SCAN_DECORATOR_TWICE', {
        where,
        what: 'has @Action twice.',
        fix: 'keep one @Action, and give the other action a method of its own',
      });
    } else seen.add(member);
  }
}

function checkMarks(type: Class, problems: ProblemList): void {
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
