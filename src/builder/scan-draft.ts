import { taskModeOf } from '../call/action-options.ts';
import { finiteLimit } from '../call/time-limit.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { LimitOptions, UnknownFields } from '../metadata/options.ts';
import type { ToolDefaults } from '../runtime/tools/registry-options.ts';
import { readVersioning } from '../scanner/actions/versioning.ts';
import type { ScannedAction, ScannedTool } from '../scanner/actions/scan-tools.ts';
import { addSuffixes } from '../scanner/actions/action-versions.ts';
import type { ActionDraft, BuilderDraft, GroupDraft, ToolAction } from './builder-draft.ts';
import { checkActions } from './check-options.ts';

/** Turns a finished draft into the plain input of compile: what the scanner makes of decorated classes. */
export function scanDraft(draft: BuilderDraft, defaults: ToolDefaults): ScannedTool {
  const groups = [...draft.groups.values()].filter((group) =>
    draft.actions.some((action) => action.group === group),
  );
  const { unknownFields = 'strict', limits = {} } = defaults;
  const actions = draft.actions.map((action) => scanAction(draft, action, { unknownFields, limits }));
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

/** The defaults for actions without their own settings. */
interface ActionDefaults {
  readonly unknownFields: UnknownFields;
  readonly limits: LimitOptions;
}

export function scanAction(
  draft: BuilderDraft,
  { key, group, action, middleware }: ActionDraft,
  { unknownFields, limits }: ActionDefaults,
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
    input: action.input,
    groupCommon: [],
    output: action.output,
    isDestructive: destructive,
    isReadOnly: readOnly,
    isIdempotent: idempotent,
    isOpenWorld: action.openWorld,
    tags: Object.freeze([...new Set([...draft.tags, ...tags])]),
    unknownFields: action.unknownFields ?? group?.unknownFields ?? unknownFields,
    timeout: timeoutOf(action, group, limits),
    result,
    task: taskModeOf(action.task),
    middleware: Object.freeze([...draft.middleware, ...ownMiddleware]),
    hasMiddleware: ownMiddleware.length > 0,
    handler: Object.freeze({ kind: 'function', run: action.handler as never }),
    metadata: [],
  });
}

function timeoutOf(
  action: ToolAction,
  group: GroupDraft | undefined,
  limits: LimitOptions,
): number | undefined {
  return finiteLimit(action.timeout ?? group?.timeout ?? limits.timeout);
}

/** An empty description counts as none. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The resolver of tools that consist of functions alone: nothing ever asks it for an instance. */
export const noInstances: InstanceResolver = Object.freeze({
  isPerCall: () => false,
  isTransient: () => false,
  get: () => undefined,
  open: () => Promise.reject(new Error('A builder has no container')),
});
