import {
  type Deprecation,
  type TaskMode,
  type ResultFormat,
  queueOf,
  taskModeOf,
} from '../../call/action-options.ts';
import type { Describe, Expose, IconOptions, ToolAnnotationHints } from '../../metadata/options.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { ScannedCallable } from '../members/scanned-callable.ts';
import { ProblemList } from '../../errors/problem-list.ts';
import { classChain, ownRecords } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { pathsBelow, type GroupForest, type GroupNode, type GroupPath } from '../groups/group-tree.ts';
import { declaredMembers } from '../members/declared-members.ts';
import { worldsAround, scanCallable, tagsOf, type CallableScene } from '../members/scan-callable.ts';
import { checkActionVersions, addSuffixes } from './action-versions.ts';
import type { ActionDraft } from './read-actions.ts';
import { scanFeatures } from '../members/feature-uses.ts';
import { readVersioning } from './versioning.ts';

/** How a tool says to a client, by a key of `_meta`, that results may be longer than the client reads of others. */
export interface ResultLimit {
  readonly key: string;
  /** Characters that it reads of others. */
  readonly over: number;
  /** The most characters that a tool may say. */
  readonly max: number;
}

/**
 * A tool, resolved and checked: plain data without instances.
 * The scanner makes it from decorated classes, the builder from plain calls; compile knows no other input.
 */
export interface ScannedTool {
  readonly name: string;
  /** `TasksController`, or `builder "tasks"`. */
  readonly where: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly discriminator: string;
  /** Whether the author names it. */
  readonly hasOwnDiscriminator: boolean;
  readonly mode: 'flat' | 'hierarchical';
  readonly expose: Expose;
  /** Between the names of flat tools. */
  readonly separator: string;
  /** The prefix of the names of flat tools; may be empty. */
  readonly prefix: string;
  /** Longer names are shortened; undefined where they stay as they are. */
  readonly maxNameLength?: number | undefined;
  /** Whether `outputSchema` is left out: always, or where an action gives anything but JSON. Default: never. */
  readonly outputs?: 'none' | 'json' | undefined;
  /** Where its client reads how long results may be. */
  readonly resultLimit?: ResultLimit | undefined;
  readonly describe: Describe;
  /** A longer description is shortened. Default: as plain text never; with signatures, at what most clients read. */
  readonly maxDescription?: number | undefined;
  /** Whether signatures have the defaults that the schema has, too. */
  readonly defaults?: 'inline' | undefined;
  readonly annotations: ToolAnnotationHints;
  readonly tags: readonly string[];
  readonly icons: readonly IconOptions[] | undefined;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** Fields of every action: the common schema of the tool itself. */
  readonly common: SchemaSource | undefined;
  /** The groups below the tool in order of first appearance; empty in flat mode. */
  readonly groups: readonly ScannedGroup[];
  /** In registration order. */
  readonly actions: readonly ScannedAction[];
}

interface ScannedGroup {
  /** Names below the tool joined with dots. */
  readonly path: string;
  readonly description: string | undefined;
}

export interface ScannedAction extends ScannedCallable {
  /** Unique in the tool, but for further versions: `create`, or `users.create`. */
  readonly key: string;
  /** A semantic version; undefined where it has none, and then no other action has the key. */
  readonly version: string | undefined;
  /** Added to the name with flat exposition; empty unless another version has the plain name. */
  readonly suffix: string;
  readonly deprecated: Deprecation | undefined;
  readonly name: string;
  /** The path of its group; undefined in flat mode. */
  readonly group: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Common schemas of the sub-groups above it, outermost first; the tool's own is not among them. */
  readonly groupCommon: readonly SchemaSource[];
  readonly output: SchemaSource | undefined;
  readonly isDestructive: boolean;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  /** Undefined if it is not declared. */
  readonly isOpenWorld: boolean | undefined;
  /** Whether it is a tool of its own where other actions are found first. */
  readonly isPinned: boolean;
  /** The tool's, the groups' and its own. */
  readonly tags: readonly string[];
  readonly result: ResultFormat;
  /** How it becomes a task; undefined where it never does. */
  readonly task: TaskMode | undefined;
  /** The queue that its tasks are put on; undefined where they run in the process that is called. */
  readonly queue: string | undefined;
  /** True with middleware of a sub-group or of the action; that of the tool and of the application does not count. */
  readonly hasMiddleware: boolean;
}

/** Problems of an orphan that may vanish once its parent, whose `common` fields are unknown here, is found. */
const DOUBTFUL = new Set(['TW_SCAN_INPUT_AMBIGUOUS', 'TW_SCAN_INPUT_NOT_DTO', 'TW_SCAN_PARAMETER_UNKNOWN']);

/** One tool per root; their names differ. */
export function scanTools({ roots, orphans }: GroupForest, scene: CallableScene): readonly ScannedTool[] {
  checkOrphans(orphans, scene);
  const first = new Map<string, GroupNode>();
  for (const root of roots) {
    const other = first.get(root.name);
    if (other === undefined) first.set(root.name, root);
    else reportToolName(root, other, scene.problems);
  }
  return Object.freeze(roots.map((root) => scanTool(root, scene)));
}

/** Groups without a tool may have problems of their own, which must be reported in the same run. */
function checkOrphans(orphans: readonly GroupNode[], scene: CallableScene): void {
  const problems = new ProblemList();
  for (const orphan of orphans) {
    for (const action of orphan.actions) scanAction(action, [orphan], { ...scene, problems });
  }
  for (const { code, ...facts } of problems.problems) {
    if (!DOUBTFUL.has(code)) scene.problems.add(code, facts);
  }
}

function scanTool(root: GroupNode, scene: CallableScene): ScannedTool {
  const { options, name, type } = root;
  const places = pathsBelow([root]).filter((path) => (path.at(-1)?.actions.length ?? 0) > 0);
  const actions = places.flatMap((path) =>
    (path.at(-1)?.actions ?? []).map((action) => scanAction(action, path, scene)),
  );
  checkTool(root, actions, scene.problems);
  return Object.freeze({
    name,
    where: type.name,
    title: options.title,
    description: options.description,
    discriminator: options.discriminator ?? 'action',
    hasOwnDiscriminator: options.discriminator !== undefined,
    mode: root.children.length > 0 ? 'hierarchical' : 'flat',
    expose: options.expose ?? scene.options.expose ?? 'grouped',
    separator: options.separator ?? '_',
    prefix: options.prefix ?? name,
    describe: options.describe ?? scene.options.describe ?? root.defaultDescribe,
    annotations: options.annotations ?? Object.freeze({}),
    tags: Object.freeze([...new Set(options.tags)]),
    icons: options.icons,
    meta: options.meta,
    common: options.common,
    groups: scanGroups(places),
    actions: Object.freeze(addSuffixes(actions)),
  });
}

/** The groups that hold actions, and the groups above them that have a description of their own. */
function scanGroups(places: readonly GroupPath[]): readonly ScannedGroup[] {
  const groups = new Map<string, ScannedGroup>();
  for (const place of places) {
    for (let depth = 2; depth <= place.length; depth += 1) {
      const part = place.slice(0, depth);
      const path = groupPath(part);
      const description = part.at(-1)?.options.description;
      const isSilent = description === undefined && depth < place.length;
      if (!isSilent && groups.get(path)?.description === undefined) {
        groups.set(path, Object.freeze({ path, description }));
      }
    }
  }
  return Object.freeze([...groups.values()]);
}

function checkTool(root: GroupNode, actions: readonly ScannedAction[], problems: ProblemList): void {
  const where = root.type.name;
  if (actions.length === 0 && !hasStaticAction(root.type)) {
    const hasOther = (['prompt', 'resource'] as const).some(
      (kind) => declaredMembers(root.type, kind).length > 0,
    );
    problems.at(where).add('TW_SCAN_TOOL_EMPTY', {
      what: `has no action, so the tool "${root.name}" could do nothing.`,
      fix: `@Action('…') on a method of ${where}, or of a group with parent: ${where}${hasOther ? `; prompts and resources need no more than @Injectable() on ${where}` : ''}`,
    });
  }
  const [child] = root.children;
  if (child !== undefined && root.actions.length > 0) reportMixed(root, child, problems);
  checkActionVersions(where, actions, problems);
}

/** A static @Action is reported separately; if it were not static, the tool would not be empty. */
function hasStaticAction(type: Class): boolean {
  return classChain(type).some((owner) => ownRecords(owner, 'action').some(({ isStatic }) => isStatic));
}

function reportMixed(root: GroupNode, child: GroupNode, problems: ProblemList): void {
  const [action] = root.actions;
  problems.at(root.type.name).add('TW_SCAN_MODE_MIXED', {
    what: `has actions of its own (${action?.where ?? ''}) beside the sub-group ${child.type.name}.`,
    why: `a tool has either actions or groups with actions: "${root.name}" would have both.`,
    fix: `move its actions to a class with @ToolGroup({ parent: ${root.type.name} }), or remove \`parent\` from ${child.type.name}, which is then a tool of its own`,
  });
}

function reportToolName(root: GroupNode, other: GroupNode, problems: ProblemList): void {
  problems.at(root.type.name).add('TW_SCAN_TOOL_DUPLICATE', {
    what: `is a second tool with the name "${root.name}", beside ${other.type.name}.`,
    fix: `@ToolGroup({ name: '…' }) with another name, or parent: ${other.type.name}`,
  });
}

/** An action at one place: `path` leads from the tool's root to the group. */
function scanAction(action: ActionDraft, path: GroupPath, scene: CallableScene): ScannedAction {
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
    slots: scanFeatures('readAction', action, path, scene),
    isOpenWorld: scanOpenWorld(action, path, scene),
    isPinned: options.pin === true,
    tags: tagsOf(action, path),
    result: options.result ?? 'json',
    task: taskModeOf(options.task),
    queue: queueOf(options.task),
    // Last, because V8 gives every object that begins with a spread a hidden class of its own
    ...callable,
  });
}

/** The action's own word, then that of its class, of the groups above, of its module and of the application. */
function scanOpenWorld(
  action: ActionDraft,
  path: GroupPath,
  { options }: CallableScene,
): boolean | undefined {
  if (action.isOpenWorld !== undefined) return action.isOpenWorld;
  const around = worldsAround(action, path).find(({ member }) => member === undefined);
  const module = ownRecords(action.controller.home.type, 'openWorld')[0];
  return (around ?? module)?.isOpen ?? options.openWorld;
}

/** The names below the tool, joined with dots. */
function groupPath(path: GroupPath): string {
  return path
    .slice(1)
    .map((group) => group.name)
    .join('.');
}

function commonsOf(path: GroupPath): readonly SchemaSource[] {
  return path.map((group) => group.options.common).filter((common) => common !== undefined);
}
