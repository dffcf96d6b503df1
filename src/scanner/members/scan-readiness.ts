import type { ProblemList } from '../../errors/problem-list.ts';
import { READINESS_CHECK_RULES } from '../../metadata/option-rules.ts';
import { classChain, ownRecords } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { checkOptions } from '../../shared/option-rules.ts';
import { reportFaults } from '../check-options.ts';
import { classOf, type ProviderDraft } from '../providers/read-provider.ts';
import { rolesOf } from './check-members.ts';
import { declaredMembers, memberName } from './declared-members.ts';

/** A method with @Readiness. */
export interface ReadinessMember {
  readonly member: string | symbol;
  /** `Database.ping()`. */
  readonly where: string;
  readonly timeout: number | undefined;
}

/** The methods of a class that say whether the application can serve. */
export function readinessMembers(type: Class): readonly ReadinessMember[] {
  return declaredMembers(type, 'readiness').map(({ member, record }) => ({
    member,
    where: memberName(type, member),
    timeout: record.options.timeout,
  }));
}

/** Reports checks that could not be run. */
export function checkReadiness(drafts: readonly ProviderDraft[], problems: ProblemList): void {
  const seen = new Set<Class>();
  for (const draft of drafts) {
    const { scope } = draft;
    const own = classOf(draft);
    if (own === undefined) continue;
    for (const type of classChain(own)) {
      if (!seen.has(type)) checkMethods(type, problems);
      seen.add(type);
    }
    if (scope === 'singleton') continue;
    for (const { where } of readinessMembers(own)) {
      problems.at(where).add('TW_SCAN_READINESS', {
        what: `has @Readiness, but ${own.name} has the scope "${scope}".`,
        why: 'a check runs outside of calls, on an instance that lives as long as the application.',
        fix: `@Injectable() on ${own.name}, or move ${where} to a singleton`,
      });
    }
  }
}

function checkMethods(type: Class, problems: ProblemList): void {
  const seen = new Set<string | symbol>();
  for (const { member, isStatic, options } of ownRecords(type, 'readiness')) {
    const where = memberName(type, member);
    const here = problems.at(where);
    reportFaults(checkOptions(options, READINESS_CHECK_RULES), '@Readiness', here);
    if (isStatic) {
      here.add('TW_SCAN_READINESS', {
        what: 'is static, but a method with @Readiness runs on an instance.',
        fix: `remove \`static\` from ${where}`,
      });
    }
    const [role] = rolesOf(type, member);
    if (role !== undefined) {
      here.add('TW_SCAN_READINESS', {
        what: `has @Readiness and ${role}.`,
        why: 'a check gets an AbortSignal, and nothing of a call.',
        fix: `remove @Readiness, and give the check a method of its own`,
      });
    }
    if (seen.has(member)) {
      here.add('TW_SCAN_DECORATOR_TWICE', { what: 'has @Readiness twice.', fix: 'keep one of them' });
    }
    seen.add(member);
  }
}
