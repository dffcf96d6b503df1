import type { ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { declaredMembers, memberName, type MethodDraft } from './members/declared-members.ts';
import type { ScannedCompletion } from './members/scanned-callable.ts';

/**
 * The completions of a prompt or template. `fields` are its arguments or variables,
 * or undefined when they cannot be known.
 */
export function scanCompletions(
  target: MethodDraft,
  fields: readonly string[] | undefined,
  problems: ProblemList,
): readonly ScannedCompletion[] {
  const { type, key } = target.controller;
  const completions = new Map<string, ScannedCompletion>();
  for (const { member, records } of declaredMembers(type, 'complete')) {
    for (const { of, argument } of records) {
      if (of !== target.member) continue;
      const where = memberName(type, member);
      const other = completions.get(argument);
      if (fields?.includes(argument) === false) reportArgument(argument, where, target, fields, problems);
      if (other !== undefined) reportTwice(argument, where, other, target, problems);
      const handler = Object.freeze({
        kind: 'method',
        controller: key,
        member,
        parameters: Object.freeze([]),
      });
      completions.set(argument, Object.freeze({ argument, where, handler }));
    }
  }
  return Object.freeze([...completions.values()]);
}

function reportArgument(
  argument: string,
  where: string,
  target: MethodDraft,
  fields: readonly string[],
  problems: ProblemList,
): void {
  const noun = target.decorator === '@Prompt' ? 'argument' : 'variable';
  const known =
    fields.length === 0 ? `remove @Complete, for it has no ${noun}` : `name one of ${fields.join(', ')}`;
  problems.at(where).add('TW_SCAN_COMPLETE_ARGUMENT', {
    what: `completes "${argument}" of ${target.where}, which has no such ${noun}.`,
    fix: didYouMean(argument, fields) ?? known,
  });
}

function reportTwice(
  argument: string,
  where: string,
  other: ScannedCompletion,
  target: MethodDraft,
  problems: ProblemList,
): void {
  problems.at(where).add('TW_SCAN_COMPLETE_DUPLICATE', {
    what: `completes "${argument}" of ${target.where}${other.where === where ? ' twice' : `, as ${other.where} does`}.`,
    fix: 'keep one of the two @Complete',
  });
}
