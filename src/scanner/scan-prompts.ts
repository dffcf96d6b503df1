import type { Class } from '../shared/class-type.ts';
import type { ControllerDraft } from './controller-draft.ts';
import { groupName, type GroupPath } from './group-paths.ts';
import { knownFields } from './known-fields.ts';
import type { PromptDraft } from './read-prompts.ts';
import { scanCallable, tagsOf, type CallableScene } from './scan-callable.ts';
import { scanCompletions } from './scan-completions.ts';
import { scanList } from './scan-list.ts';
import type { ScannedCallable } from './scanned-callable.ts';
import type { ScannedPrompt } from './scanned-prompt.ts';

/** All prompts in the order of the controllers; their names differ. */
export function scanPrompts(
  controllers: readonly ControllerDraft[],
  paths: ReadonlyMap<Class, GroupPath>,
  scene: CallableScene,
): readonly ScannedPrompt[] {
  const drafts = controllers.flatMap(({ prompts }) => prompts);
  const first = new Map<string, PromptDraft>();
  for (const draft of drafts) {
    const other = first.get(draft.name);
    if (other === undefined) first.set(draft.name, draft);
    else {
      scene.problems.add('TW_SCAN_PROMPT_DUPLICATE', {
        where: draft.where,
        what: `is a second prompt with the name "${draft.name}", beside ${other.where}.`,
        fix: "@Prompt({ name: '…' }) on one of them",
      });
    }
  }
  return Object.freeze(
    drafts.map((draft) => scanPrompt(draft, paths.get(draft.controller.type) ?? [], scene)),
  );
}

function scanPrompt(draft: PromptDraft, path: GroupPath, scene: CallableScene): ScannedPrompt {
  const { options, name } = draft;
  const callable = scanCallable(draft, path, [], scene);
  return Object.freeze({
    kind: 'prompt',
    name,
    group: groupName(path),
    title: options.title,
    description: options.description,
    icons: options.icons,
    meta: options.meta,
    tags: tagsOf(draft, path),
    family: scanFamily(draft, scene),
    completions: scanCompletions(draft, argumentsOf(callable), scene.problems),
    ...callable,
  });
}

function scanFamily(draft: PromptDraft, scene: CallableScene): ScannedPrompt['family'] {
  const { template } = draft;
  const list = template && scanList(draft, scene);
  return list && Object.freeze({ template, list });
}

/** Undefined when they are not known; then that is reported, or the schema does not say. */
function argumentsOf({ input, handler }: ScannedCallable): readonly string[] | undefined {
  if (input !== undefined) return knownFields(input);
  const takesInput = handler.kind === 'method' && handler.parameters.some(({ kind }) => kind === 'input');
  return takesInput ? undefined : [];
}
