import type { ProblemList } from '../../errors/problem-list.ts';
import { classChain, ownRecords } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { askWhether, didYouMean } from '../../shared/did-you-mean.ts';
import { readActions, type ActionDraft } from '../actions/read-actions.ts';
import { readPrompts, type PromptDraft } from '../prompts/scan-prompts.ts';
import { readResources, type ResourceDraft } from '../resources/scan-resources.ts';
import { checkMembers } from './check-members.ts';
import { declaredMembers, memberName, type Controller } from './declared-members.ts';

/** A controller with its actions, prompts and resources. */
export interface ControllerDraft {
  readonly controller: Controller;
  readonly actions: readonly ActionDraft[];
  readonly prompts: readonly PromptDraft[];
  readonly resources: readonly ResourceDraft[];
}

/** The decorated parts of each controller, in the order of the controllers. */
export function readControllers(
  controllers: readonly Controller[],
  problems: ProblemList,
): readonly ControllerDraft[] {
  return uniqueControllers(controllers, problems).map((controller) => {
    const draft = {
      controller,
      actions: readActions(controller, problems),
      prompts: readPrompts(controller, problems),
      resources: readResources(controller, problems),
    };
    const listing = new Set(draft.resources.flatMap(({ options }) => options.list ?? []));
    for (const type of classChain(controller.type)) checkMembers(type, listing, problems);
    checkCompletionTargets(draft, problems);
    if (isEmpty(draft)) reportEmpty(controller.type, problems);
    return draft;
  });
}

function uniqueControllers(controllers: readonly Controller[], problems: ProblemList): readonly Controller[] {
  const unique = new Map<Class, Controller>();
  for (const controller of controllers) {
    const first = unique.get(controller.type);
    if (first === undefined) unique.set(controller.type, controller);
    else {
      problems.at(controller.type.name).add('TW_SCAN_CONTROLLER_DUPLICATE', {
        ...(first.home === controller.home
          ? {
              what: `stands twice in the controllers of ${first.home.name}.`,
              fix: 'remove one of the two entries',
            }
          : {
              what: `is a controller of ${first.home.name} and of ${controller.home.name}.`,
              fix: 'list it in one module, and import that module in the other',
            }),
      });
    }
  }
  return [...unique.values()];
}

/** True for a controller that is not a group and offers nothing; static methods are reported separately. */
function isEmpty({ controller, actions, prompts, resources }: ControllerDraft): boolean {
  const { type } = controller;
  if (ownRecords(type, 'toolGroup').length > 0) return false;
  if (actions.length + prompts.length + resources.length > 0) return false;
  return !classChain(type).some((owner) =>
    (['action', 'prompt', 'resource'] as const).some((kind) =>
      ownRecords(owner, kind).some((record) => record.isStatic),
    ),
  );
}

function reportEmpty(type: Class, problems: ProblemList): void {
  problems.at(type.name).add('TW_SCAN_CONTROLLER_EMPTY', {
    what: 'is a controller without any action, prompt or resource.',
    fix: `@Action('…'), @Prompt('…') or @Resource('…') on a method of ${type.name}, or move ${type.name} to providers`,
  });
}

/** Reports uses of @Complete that name no prompt and no template of their class. */
function checkCompletionTargets(draft: ControllerDraft, problems: ProblemList): void {
  const { type } = draft.controller;
  const fixed = draft.resources.filter(({ target }) => target.kind === 'fixed').map(({ member }) => member);
  const targets = [...draft.prompts, ...draft.resources].filter(({ member }) => !fixed.includes(member));
  for (const { member, records } of declaredMembers(type, 'complete')) {
    for (const { of } of records) {
      if (targets.some((target) => target.member === of) || isDropped(of, draft)) continue;
      const named = targets.find((target) => target.name === of)?.member;
      const names = targets.map((target) => String(target.member));
      const suggestion = named === undefined ? didYouMean(of, names) : askWhether(`"${String(named)}"`);
      const found = fixed.includes(of) ? 'a resource with a fixed URI' : 'neither a prompt nor a template';
      problems.at(memberName(type, member)).add('TW_SCAN_COMPLETE_TARGET', {
        what: `completes "${of}", which is ${found} of ${type.name}.`,
        why: 'the first argument is the name of the method that has @Prompt or @Resource.',
        fix:
          suggestion ??
          `name one of ${names.join(', ') || 'the methods with @Prompt, once there is one'}, or remove @Complete`,
      });
    }
  }
}

/** True for a method that a base class offers and the class itself has dropped. */
function isDropped(member: string, { controller, prompts, resources }: ControllerDraft): boolean {
  if ([...prompts, ...resources].some((draft) => draft.member === member)) return false;
  return classChain(controller.type).some((owner) =>
    (['prompt', 'resource'] as const).some((kind) =>
      ownRecords(owner, kind).some((record) => record.member === member && !record.isStatic),
    ),
  );
}
