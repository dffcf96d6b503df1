import { taskModeOf } from '../call/task-mode.ts';
import type { ScannedAction, ScannedTool } from '../scanner/scanned-tool.ts';
import { readVersioning } from '../scanner/read-version.ts';
import { addSuffixes } from '../scanner/version-suffixes.ts';
import type { ToolDefaults } from '../runtime/tool-registry.ts';
import type { UnknownFields } from '../metadata/options.ts';
import { checkActions } from './check-options.ts';
import type { ActionDraft, BuilderDraft } from './builder-draft.ts';

/** Turns a finished draft into the plain input of compile: what the scanner makes of decorated classes. */
export function scanDraft(draft: BuilderDraft, defaults: ToolDefaults): ScannedTool {
  const groups = [...draft.groups.values()].filter((group) =>
    draft.actions.some((action) => action.group === group),
  );
  const actions = draft.actions.map((action) =>
    scanAction(draft, action, defaults.unknownFields ?? 'strict'),
  );
  checkActions(actions, `builder "${draft.name}"`);
  return Object.freeze({
    name: draft.name,
    where: `builder "${draft.name}"`,
    title: undefined,
    description: draft.description,
    discriminator: draft.discriminator,
    mode: draft.groups.size > 0 ? 'hierarchical' : 'flat',
    expose: defaults.expose ?? 'grouped',
    separator: defaults.separator ?? '_',
    prefix: draft.name,
    describe: draft.isToon ? 'toon' : 'plain',
    annotations: Object.freeze({ ...draft.annotations }),
    tags: Object.freeze([...draft.tags]),
    icons: undefined,
    meta: undefined,
    common: draft.common,
    groups: Object.freeze(groups.map(({ name, description }) => Object.freeze({ path: name, description }))),
    actions: Object.freeze(addSuffixes(actions)),
  });
}

function scanAction(
  draft: BuilderDraft,
  { key, group, action, middleware }: ActionDraft,
  unknownFields: UnknownFields,
): ScannedAction {
  const ownMiddleware = [...(group?.middleware ?? []), ...middleware];
  const { readOnly = false, destructive = false, idempotent = false, tags = [], result = 'json' } = action;
  return Object.freeze({
    key,
    name: action.name,
    ...readVersioning([action, draft.versioning]),
    suffix: '',
    group: group?.name,
    where: `action "${key}" of builder "${draft.name}"`,
    title: action.title,
    description: nonEmpty(action.description),
    input: action.schema,
    groupCommon: [],
    output: action.output,
    isDestructive: destructive,
    isReadOnly: readOnly,
    isIdempotent: idempotent,
    isOpenWorld: action.openWorld,
    tags: Object.freeze([...new Set([...draft.tags, ...tags])]),
    unknownFields: action.unknownFields ?? group?.unknownFields ?? unknownFields,
    result,
    task: taskModeOf(action.task),
    middleware: Object.freeze([...draft.middleware, ...ownMiddleware]),
    hasMiddleware: ownMiddleware.length > 0,
    handler: Object.freeze({ kind: 'function', run: action.handler as never }),
    metadata: [],
  });
}

/** An empty description counts as none. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
