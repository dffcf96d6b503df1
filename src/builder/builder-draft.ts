import {
  type Deprecation,
  type ResultFormat,
  type TaskOption,
  queueOf,
  taskModeOf,
} from '../call/action-options.ts';
import { copyOptions } from '../metadata/copy-options.ts';
import type { Confirm, DestructiveOptions } from '../metadata/options.ts';
import { idempotencyRule, type IdempotentOptions } from '../call/idempotency-options.ts';
import { joinProblems } from '../errors/option-errors.ts';
import { ProblemList } from '../errors/problem-list.ts';
import type { MiddlewareFunction, MiddlewareObject } from '../call/middleware.ts';
import type { CallLimits, LimitOptions } from '../app/limit-options.ts';
import { aroundOf, FEATURES } from '../app/features.ts';
import type { AnyFeature } from '../features/feature.ts';
import { slotsOf } from '../scanner/members/feature-uses.ts';
import type { Describe, ToolAnnotationHints, UnknownFields } from '../metadata/options.ts';
import { type VersioningOptions, readVersioning } from '../scanner/actions/versioning.ts';
import type { ScannedMiddleware } from '../scanner/members/scanned-callable.ts';
import type { RequiresOptions } from '../call/requirements.ts';
import type { ScannedRequirements } from '../scanner/requirements/scanned-requirements.ts';
import { joinRequirements, readRequires } from '../scanner/requirements/read-requirement.ts';
import type { Class } from '../shared/class-type.ts';
import type { PlainObject } from '../shared/json.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { finiteLimit } from '../call/time-limit.ts';
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
  timeout: number | undefined;
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

/** The value a handler gets for a schema: the class's instance, the schema's output, or a plain object. */
export type InputOf<Schema> =
  Schema extends Class<infer Instance>
    ? Instance
    : Schema extends {
          readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
        }
      ? Output
      : PlainObject;

/** A middleware of the plain API: a function, an object with `use`, or a class of such objects without dependencies. */
export type ToolMiddleware<Context = unknown> =
  MiddlewareFunction<Context> | MiddlewareObject<Context> | (new () => MiddlewareObject<Context>);

/** One action of a builder. */
export interface ToolAction<
  Schema extends SchemaSource | undefined = SchemaSource,
  Context = unknown,
  Common = unknown,
> {
  /** Non-empty, without a dot. */
  readonly name: string;
  /** Gets the merged input (own and common fields) and the context of the call. */
  readonly handler: (input: InputOf<Schema> & Common, context: Context) => unknown;
  /** The name that clients show to people. Default: the action's name. */
  readonly title?: string;
  /** What the action does, for models. Default: none. */
  readonly description?: string;
  /** What the input is checked against: a DTO class, a Standard Schema or a JSON Schema. */
  readonly input?: Schema;
  /** Another name of `input`. */
  readonly schema?: Schema;
  /** What the handler returns; it is checked, and sent as `structuredContent`. */
  readonly output?: SchemaSource;
  /** With `confirm`, as in `@Destructive`, each call is agreed to first. Default false, like the other marks. */
  readonly destructive?: boolean | DestructiveOptions;
  /** A repeated call changes nothing more; with a `key`, as in `@Idempotent`, it does not run again. Default false. */
  readonly idempotent?: boolean | IdempotentOptions;
  /** The action changes nothing. Default false. */
  readonly readOnly?: boolean;
  /** Whether it interacts with systems outside of the server. Default: unspecified. */
  readonly openWorld?: boolean;
  /** Runs around this action, inside the middleware of its group and builder. Default: none. */
  readonly middleware?: readonly ToolMiddleware<Context>[];
  /** Tags that filters select by, in addition to those of the builder. Default: none. */
  readonly tags?: readonly string[];
  /**
   * What happens to fields that the action does not declare. Default: that of the group, then of the builder.
   */
  readonly unknownFields?: UnknownFields;
  /** How the handler's value becomes text. Default `json`. */
  readonly result?: ResultFormat;
  /** As in `@Action`; `on-demand` needs a context that can `startTask()`. */
  readonly task?: TaskOption;
  /** The time limit of a call in milliseconds, as with `@Timeout`. Default: that of the registry or application. */
  readonly timeout?: number;
  /** What callers have to be, as with `@Scopes`, `@Roles`, `@Policy` and `@Public`. Default: nothing. */
  readonly requires?: RequiresOptions;
  /** How often and how many at once, as with `@RateLimit`, `@Quota` and `@Concurrency`. Default: any number. */
  readonly limits?: CallLimits;
  /** A semantic version, as in `@Action`. Default: that of the builder's options. */
  readonly version?: string;
  /** Marks the action as deprecated. Default: the builder's options. */
  readonly deprecated?: Deprecation;
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
    isDestructive: destructive !== false,
    confirm: confirmOf(destructive),
    isReadOnly: readOnly,
    isIdempotent: idempotent !== false,
    idempotency: keyedBy(idempotent),
    isOpenWorld: action.openWorld,
    tags: Object.freeze([...new Set([...draft.tags, ...tags])]),
    unknownFields: action.unknownFields ?? group?.unknownFields ?? unknownFields,
    ...rulesOf(draft, group, key, action, limits),
    timeout: timeoutOf(action, group, limits),
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
  { requires, limits }: ToolAction,
  defaults: LimitOptions,
): Pick<ScannedAction, 'requirements' | 'slots'> {
  const around = group === undefined ? [draft] : [draft, group];
  const said: readonly SaidAt[] = [
    [limits, `${draft.name}/${key}`],
    [group?.said, `${draft.name}/${group?.name ?? ''}`],
    [draft.said, draft.name],
  ];
  return {
    requirements: joinRequirements([
      ...around.map(({ requirements }) => requirements),
      readRequires(requires),
    ]),
    slots: slotsOf('readAction', FEATURES, aroundOf({ limits: defaults }, FEATURES), (feature) =>
      saidTo(feature as AnyFeature, said),
    ),
  };
}

/** What stands at one place. */
type SaidAt = readonly [limits: CallLimits | undefined, place: string];

/** What limits say to a feature, the nearest first. */
function saidTo(feature: AnyFeature, nearestFirst: readonly SaidAt[]) {
  return nearestFirst.flatMap(([limits, place]) => {
    const options: unknown = limits && feature.saidIn?.(limits);
    return options === undefined ? [] : [{ decorator: 'limits', place, options: options as never }];
  });
}

function confirmOf(destructive: boolean | DestructiveOptions): Confirm {
  return typeof destructive === 'object' ? (destructive.confirm ?? false) : false;
}

function keyedBy(idempotent: boolean | IdempotentOptions): ScannedAction['idempotency'] {
  return typeof idempotent === 'object' ? idempotencyRule(idempotent) : undefined;
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
  isAskedPerCall: () => false,
  get: () => undefined,
  open: () => Promise.reject(new Error('A builder has no container')),
});
