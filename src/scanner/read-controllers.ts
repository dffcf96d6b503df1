import type { ProblemList } from '../errors/problem-list.ts';
import { classChain, ownRecords } from '../metadata/records.ts';
import type { Class } from '../shared/class-type.ts';
import { checkMembers } from './check-members.ts';
import type { ControllerDraft } from './controller-draft.ts';
import type { Controller } from './method-draft.ts';
import { readActions } from './read-actions.ts';
import { readPrompts } from './read-prompts.ts';
import { readResources } from './read-resources.ts';
import { checkCompletionTargets } from './scan-completions.ts';

/** What the decorators say of each controller, in the order of the controllers. */
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
      problems.add('TW_SCAN_CONTROLLER_DUPLICATE', {
        where: controller.type.name,
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

/** True for what is neither a group nor offers anything; a static method has a problem of its own. */
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
  problems.add('TW_SCAN_CONTROLLER_EMPTY', {
    where: type.name,
    what: 'is a controller without any action, prompt or resource.',
    fix: `@Action('…'), @Prompt('…') or @Resource('…') on a method of ${type.name}, or move ${type.name} to providers`,
  });
}
