import type { ProblemList } from '../errors/problem-list.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { declaredMembers, memberName, type MethodDraft } from './members/declared-members.ts';
import type { CallableScene } from './members/scan-callable.ts';
import type { MethodHandler, ScannedCompletion } from './members/scanned-callable.ts';
import { scanCompletionRequirements } from './requirements/scan-requirements.ts';
import type { ScannedRequirements } from './requirements/scanned-requirements.ts';

/** What is completed. */
interface Completed {
  /** Its arguments or variables; undefined when they cannot be known. */
  readonly fields: readonly string[] | undefined;
  readonly requirements: ScannedRequirements | undefined;
}

/** The completions of a prompt or template. */
export function scanCompletions(
  target: MethodDraft,
  { fields, requirements }: Completed,
  scene: CallableScene,
): readonly ScannedCompletion[] {
  const { type, key: controller } = target.controller;
  const { problems } = scene;
  const completions = new Map<string, ScannedCompletion>();
  for (const { member, records } of declaredMembers(type, 'complete')) {
    const where = memberName(type, member);
    const handler: MethodHandler = Object.freeze({
      kind: 'method',
      controller,
      member,
      parameters: Object.freeze([]),
    });
    const named = records.filter(({ of }) => of === target.member);
    if (named.length === 0) continue;
    const required = scanCompletionRequirements(requirements, target.controller, member, scene);
    for (const { argument } of named) {
      const completion: ScannedCompletion = Object.freeze({
        argument,
        where,
        requirements: required,
        handler,
      });
      const other = completions.get(argument);
      if (fields?.includes(argument) === false) reportArgument(completion, target, fields, problems);
      if (other !== undefined) reportTwice(completion, other, target, problems);
      completions.set(argument, completion);
    }
  }
  return Object.freeze([...completions.values()]);
}

function reportArgument(
  { argument, where }: ScannedCompletion,
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
  { argument, where }: ScannedCompletion,
  other: ScannedCompletion,
  target: MethodDraft,
  problems: ProblemList,
): void {
  const again = other.where === where ? ' twice' : `, as ${other.where} does`;
  problems.at(where).add('TW_SCAN_COMPLETE_DUPLICATE', {
    what: `completes "${argument}" of ${target.where}${again}.`,
    fix: 'keep one of the two @Complete',
  });
}
