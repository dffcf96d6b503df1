import { taskModeOf } from '../call/action-options.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { ActionDraft } from './action-draft.ts';
import type { GroupPath } from './group-paths.ts';
import { readVersioning } from './read-version.ts';
import { scanCallable, tagsOf, type CallableScene } from './scan-callable.ts';
import type { ScannedAction } from './scanned-tool.ts';

/** An action at one place: `path` leads from the tool's root to the group. */
export function scanAction(action: ActionDraft, path: GroupPath, scene: CallableScene): ScannedAction {
  const { options, marks, name } = action;
  const callable = scanCallable(action, path, commonsOf(path), scene);
  const group = path.length > 1 ? groupPath(path) : undefined;
  return Object.freeze({
    key: group === undefined ? name : `${group}.${name}`,
    name,
    ...readVersioning([options, ...path.map((node) => node.options).reverse()]),
    suffix: '',
    group,
    title: options.title,
    description: options.description,
    groupCommon: Object.freeze(commonsOf(path.slice(1))),
    output: options.output,
    isDestructive: marks.has('destructive'),
    isReadOnly: marks.has('readOnly'),
    isIdempotent: marks.has('idempotent'),
    isOpenWorld: marks.has('openWorld') ? true : undefined,
    tags: tagsOf(action, path),
    result: options.result ?? 'json',
    task: taskModeOf(options.task),
    hasMiddleware: callable.middleware.length > scene.globalMiddleware.length,
    // Last, because V8 gives every object that begins with a spread a hidden class of its own
    ...callable,
  });
}

/** The names below the tool, joined with dots. */
export function groupPath(path: GroupPath): string {
  return path
    .slice(1)
    .map((group) => group.name)
    .join('.');
}

function commonsOf(path: GroupPath): readonly SchemaSource[] {
  return path.map((group) => group.options.common).filter((common) => common !== undefined);
}
