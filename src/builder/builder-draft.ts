import { queueOf, taskModeOf } from '../call/action-options.ts';
import { copyOptions } from '../metadata/copy-options.ts';
import type { Mark } from '../metadata/records.ts';
import { joinProblems } from '../errors/option-errors.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { CallLimits, LimitOptions } from '../app/limit-options.ts';
import type { ToolAction } from '../app/tool-action.ts';
import { outerSlots, FEATURES } from '../app/features.ts';
import type { AnyFeature } from '../features/feature.ts';
import type { ActionGroup } from '../runtime/runtime-facet.ts';
import { slotsOf } from '../scanner/members/feature-uses.ts';
import type { Use } from '../scanner/scan-facet.ts';
import type { Describe, ToolAnnotationHints, UnknownFields } from '../metadata/options.ts';
import { type VersioningOptions, readVersioning } from '../scanner/actions/versioning.ts';
import type { ScannedMiddleware } from '../scanner/members/scanned-callable.ts';
import type { ScannedRequirements } from '../scanner/requirements/scanned-requirements.ts';
import { joinRequirements, readRequires } from '../scanner/requirements/read-requirement.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ToolDefaults } from '../registry/registry-options.ts';
import type { ScannedAction, ScannedTool } from '../scanner/actions/scan-tools.ts';
import { addSuffixes, checkActionVersions } from '../scanner/actions/action-versions.ts';

/** What stands on all actions of a tool or group. */
interface SharedRules {
  requirements: ScannedRequirements | undefined;
  /** The limits that features read. */
  said: CallLimits | undefined;
}

/** The draft of one group. */
export interface GroupDraft extends SharedRules {
  readonly name: string;
  description: string | undefined;
  unknownFields: UnknownFields | undefined;
  /** What it says of itself to features, like an action. */
  own: ActionGroup;
  readonly middleware: ScannedMiddleware[];
}

/** One registered action; `group` is undefined in flat mode. */
export interface ActionDraft {
  readonly key: string;
  readonly group: GroupDraft | undefined;
  readonly action: ToolAction;
  readonly middleware: readonly ScannedMiddleware[];
}

/** The draft of a builder: the only mutable state in the pipeline, dropped after the build. */
export interface BuilderDraft extends SharedRules {
  readonly name: string;
  description: string | undefined;
  /** Undefined where the author names none. */
  discriminator: string | undefined;
  annotations: ToolAnnotationHints;
  common: SchemaSource | undefined;
  describe: Describe;
  /** The default for actions without their own setting. */
  readonly versioning: VersioningOptions;
  readonly tags: Set<string>;
  readonly middleware: ScannedMiddleware[];
  readonly groups: Map<string, GroupDraft>;
  readonly actions: ActionDraft[];
}

export function createDraft(
  name: string,
  versioning: VersioningOptions = {},
  {
    requires,
    limits,
    describe = 'plain',
  }: Pick<ToolAction, 'requires' | 'limits'> & { readonly describe?: Describe } = {},
): BuilderDraft {
  return {
    requirements: readRequires(requires),
    said: limits && copyOptions(limits),
    name,
    description: undefined,
    discriminator: undefined,
    annotations: {},
    common: undefined,
    describe,
    versioning,
    tags: new Set(),
    middleware: [],
    groups: new Map(),
    actions: [],
  };
}

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
    discriminator: draft.discriminator ?? 'action',
    hasOwnDiscriminator: draft.discriminator !== undefined,
    mode: draft.groups.size > 0 ? 'hierarchical' : 'flat',
    expose: defaults.expose ?? 'grouped',
    separator: defaults.separator ?? '_',
    prefix: draft.name,
    describe: draft.describe,
    annotations: Object.freeze({ ...draft.annotations }),
    tags: Object.freeze([...draft.tags]),
    icons: undefined,
    meta: undefined,
    common: draft.common,
    groups: Object.freeze(groups.map(({ name, description }) => Object.freeze({ path: name, description }))),
    actions: Object.freeze(addSuffixes(actions)),
  });
}

/** @throws ToolwrightError for actions that a call cannot distinguish, or a replacement that does not exist. */
function checkActions(actions: readonly ScannedAction[], where: string): void {
  const list = new ProblemList();
  checkActionVersions(where, actions, list);
  if (list.problems.length > 0) throw joinProblems(list.problems);
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
  const { tags = [], result = 'json' } = action;
  const marks = readMarks(action);
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
    isDestructive: marks.has('destructive'),
    isReadOnly: marks.has('readOnly'),
    isIdempotent: marks.has('idempotent'),
    isOpenWorld: action.openWorld,
    isPinned: action.pin === true,
    tags: Object.freeze([...new Set([...draft.tags, ...tags])]),
    unknownFields: action.unknownFields ?? group?.unknownFields ?? unknownFields,
    ...rulesOf(draft, group, key, action, limits),
    result,
    task: taskModeOf(action.task),
    queue: queueOf(action.task),
    middleware: Object.freeze([...draft.middleware, ...ownMiddleware]),
    hasMiddleware: ownMiddleware.length > 0,
    handler: Object.freeze({ kind: 'function', run: action.handler as never }),
    metadata: [],
  });
}

/** What an action requires and is limited by, with all that stands around it. */
function rulesOf(
  draft: BuilderDraft,
  group: GroupDraft | undefined,
  key: string,
  action: ToolAction,
  defaults: LimitOptions,
): Pick<ScannedAction, 'requirements' | 'slots'> {
  const { requires, limits } = action;
  const around = group === undefined ? [draft] : [draft, group];
  const said: readonly SaidAt[] = [
    [action, limits, `${draft.name}/${key}`],
    [group?.own, group?.said, `${draft.name}/${group?.name ?? ''}`],
    [undefined, draft.said, draft.name],
  ];
  return {
    requirements: joinRequirements([
      ...around.map(({ requirements }) => requirements),
      readRequires(requires),
    ]),
    slots: slotsOf(
      'readAction',
      FEATURES,
      outerSlots({ limits: defaults }, FEATURES),
      (feature) => saidTo(feature as AnyFeature, said),
      readMarks(action),
    ),
  };
}

/** What stands at one place. */
type SaidAt = readonly [own: ActionGroup | undefined, limits: CallLimits | undefined, place: string];

/** What an action, its group and the limits at them and around them say to a feature, the nearest first. */
function saidTo(feature: AnyFeature, nearestFirst: readonly SaidAt[]): readonly Use<never>[] {
  return nearestFirst.flatMap(([own, limits, place], index) => {
    const on = index === 0 ? ('method' as const) : ('around' as const);
    const said: readonly unknown[] = [own && feature.saidOf?.(own), limits && feature.saidIn?.(limits)];
    return said.flatMap((options) =>
      options === undefined ? [] : [{ decorator: 'options', place, on, options: options as never }],
    );
  });
}

function readMarks({
  destructive = false,
  readOnly = false,
  idempotent = false,
}: ToolAction): ReadonlySet<Mark> {
  const said = { destructive, readOnly, idempotent };
  return new Set((Object.keys(said) as Mark[]).filter((mark) => said[mark] !== false));
}

/** An empty description counts as none. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The resolver of tools that consist of functions alone: nothing ever asks it for an instance. */
export const noInstances: InstanceResolver = Object.freeze({
  isPerCall: () => false,
  isAskedPerCall: () => false,
  get: () => undefined,
  open: () => Promise.reject(new Error('A builder has no container')),
});
