import type { ProblemList } from '../errors/problem-list.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import { askWhether, didYouMean } from '../shared/did-you-mean.ts';
import type { ControllerDraft } from './controller-draft.ts';
import { declaredMembers } from './declared-members.ts';
import { memberName } from './member-name.ts';
import type { MethodDraft } from './method-draft.ts';
import type { ScannedCompletion } from './scanned-prompt.ts';

/** Reports uses of @Complete that name no prompt and no template of their class. */
export function checkCompletionTargets(draft: ControllerDraft, problems: ProblemList): void {
  const { type } = draft.controller;
  const fixed = draft.resources.filter(({ target }) => target.kind === 'fixed').map(({ member }) => member);
  const targets = [...draft.prompts, ...draft.resources].filter(({ member }) => !fixed.includes(member));
  for (const { member, records } of declaredMembers(type, 'complete')) {
    for (const { of } of records) {
      if (targets.some((target) => target.member === of) || isDropped(of, draft)) continue;
      const named = targets.find((target) => target.name === of)?.member;
      const names = targets.map((target) => String(target.member));
      const suggestion = named === undefined ? didYouMean(of, names) : askWhether(`"${String(named)}"`);
      const found = fixed.includes(of) ? 'a resource with a fixed URI' : 'no prompt and no template';
      problems.add('TW_SCAN_COMPLETE_TARGET', {
        where: memberName(type, member),
        what: `completes "${of}", which is ${found} of ${type.name}.`,
        why: 'the first argument is the name of the method that has @Prompt or @Resource.',
        fix:
          suggestion ??
          `name one of ${names.join(', ') || 'the methods with @Prompt, once there is one'}, or remove @Complete`,
      });
    }
  }
}

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

/** True for what a base class offers and the class itself has dropped. */
function isDropped(member: string, { controller, prompts, resources }: ControllerDraft): boolean {
  if ([...prompts, ...resources].some((draft) => draft.member === member)) return false;
  return classChain(controller.type).some((owner) =>
    (['prompt', 'resource'] as const).some((kind) =>
      ownRecords(owner, kind).some((record) => record.member === member && !record.isStatic),
    ),
  );
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
  problems.add('TW_SCAN_COMPLETE_ARGUMENT', {
    where,
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
  problems.add('TW_SCAN_COMPLETE_DUPLICATE', {
    where,
    what: `completes "${argument}" of ${target.where}${other.where === where ? ' twice' : `, as ${other.where} does`}.`,
    fix: 'keep one of the two @Complete',
  });
}
