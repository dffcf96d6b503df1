import type { Describe, ToolGroupOptions } from '../../metadata/options.ts';
import { type Class, isClass } from '../../shared/class-type.ts';
import type { ActionDraft } from '../actions/read-actions.ts';
import type { Controller } from '../members/declared-members.ts';
import type { ProblemList, ProblemPlace } from '../../errors/problem-list.ts';
import { GROUP_RULES } from '../../metadata/option-rules.ts';
import { classChain, ownRecords } from '../../metadata/records.ts';
import { checkVersioning } from '../actions/versioning.ts';
import { checkSchemas, readOptions, reportUndefined, resolveReference } from '../check-options.ts';
import { orderDependenciesFirst } from '../../shared/dependency-order.ts';
import { checkName, checkPrefix, defaultGroupName } from './names.ts';

/** A @ToolGroup class in its tree; the root of a tree is a tool. */
export interface GroupNode {
  readonly controller: Controller;
  readonly type: Class;
  readonly options: ToolGroupOptions;
  readonly defaultDescribe: Describe;
  readonly name: string;
  /** In the order of the controllers. */
  readonly children: readonly GroupNode[];
  /** Its own, and those of other classes that name it in `groups`. */
  readonly actions: readonly ActionDraft[];
}

/** All groups of an application. */
export interface GroupForest {
  /** Each of them is a tool. */
  readonly roots: readonly GroupNode[];
  /** Groups whose parent does not exist, or that are their own ancestor; both have been reported. */
  readonly orphans: readonly GroupNode[];
}

/** From the root of a tree to one of its groups. */
export type GroupPath = readonly GroupNode[];

/** All paths from the end of a path to the groups below it; each group comes before its children. */
export function pathsBelow(path: GroupPath): readonly GroupPath[] {
  return [path, ...(path.at(-1)?.children ?? []).flatMap((child) => pathsBelow([...path, child]))];
}

/** The paths of all groups by their classes; a group without a tool stands alone. */
export function groupPaths({ roots, orphans }: GroupForest): ReadonlyMap<Class, GroupPath> {
  const paths = [...orphans.map((orphan) => [orphan]), ...roots.flatMap((root) => pathsBelow([root]))];
  return new Map(paths.flatMap((path) => path.slice(-1).map(({ type }) => [type, path] as const)));
}

/** The names of all groups on a path joined with dots; undefined for an empty path. */
export function groupName(path: GroupPath): string | undefined {
  return path.length === 0 ? undefined : path.map(({ name }) => name).join('.');
}

/** The group trees of all controllers, in the order of the controllers. */
export function readGroups(
  drafts: readonly Pick<GroupNode, 'controller' | 'actions'>[],
  problems: ProblemList,
): GroupForest {
  const groups = new Map<Class, LooseGroup>();
  for (const { controller, actions } of drafts) {
    const group = readGroup(controller, actions, problems);
    if (group !== undefined) groups.set(controller.type, group);
    else if (actions.length > 0) reportNoGroup(controller, problems);
  }
  return linkGroups(groups, problems);
}

function readGroup(
  controller: Controller,
  actions: readonly ActionDraft[],
  problems: ProblemList,
): LooseGroup | undefined {
  const { type } = controller;
  const here = problems.at(type.name);
  const records = ownRecords(type, 'toolGroup');
  const record = records.at(-1);
  if (record === undefined) return undefined;
  if (records.length > 1) {
    here.add('TW_SCAN_DECORATOR_TWICE', {
      what: 'has @ToolGroup twice.',
      fix: 'keep one @ToolGroup, and give the other group a class of its own',
    });
  }
  const options = readOptions(record.options, GROUP_RULES, '@ToolGroup', here);
  const name: unknown = options.name ?? defaultGroupName(type.name);
  checkVersioning(options, here);
  checkSchemas(options, here);
  checkName(name, Object.hasOwn(options, 'parent') ? 'group' : 'tool', here);
  checkPrefix(options.prefix, here);
  // Always a string, even for an invalid name, so that the later stages find the other problems
  const { defaultDescribe = 'plain' } = record;
  return {
    controller,
    type,
    options,
    defaultDescribe,
    name: String(name),
    actions: [...actions],
    children: [],
  };
}

function reportNoGroup({ type }: Controller, problems: ProblemList): void {
  const base = classChain(type).find((candidate) => ownRecords(candidate, 'toolGroup').length > 0);
  problems.at(type.name).add('TW_SCAN_GROUP_MISSING', {
    what: 'has actions but no @ToolGroup.',
    ...(base === undefined
      ? {}
      : { why: `the @ToolGroup of ${base.name} is not inherited: two tools cannot share a name.` }),
    fix: `@ToolGroup('${defaultGroupName(type.name)}') on ${type.name}`,
  });
}

/** A group whose children and guest actions are still being added. */
interface LooseGroup extends GroupNode {
  readonly children: LooseGroup[];
  readonly actions: ActionDraft[];
}

type Groups = ReadonlyMap<Class, LooseGroup>;

const ROOT_ONLY = [
  'discriminator',
  'expose',
  'describe',
  'separator',
  'prefix',
] as const satisfies readonly (keyof ToolGroupOptions)[];

/** Puts groups below their parents, and actions into their further groups. */
function linkGroups(groups: Groups, problems: ProblemList): GroupForest {
  const parents = new Map<LooseGroup, LooseGroup>();
  const roots: LooseGroup[] = [];
  for (const group of groups.values()) {
    if (!Object.hasOwn(group.options, 'parent')) {
      roots.push(group);
      continue;
    }
    const parent = findGroup(group.options.parent, 'parent', groups, problems.at(group.type.name));
    if (parent !== undefined) parents.set(group, parent);
  }
  for (const [group, parent] of parents) parent.children.push(group);
  for (const group of groups.values()) {
    if (!roots.includes(group)) checkRootOptions(group, parents, problems);
  }
  checkRings(groups, parents, problems);
  addGuests(groups, problems);
  const reached = new Set(roots.flatMap(withDescendants));
  return { roots, orphans: [...groups.values()].filter((group) => !reached.has(group)) };
}

function withDescendants(group: LooseGroup): readonly LooseGroup[] {
  return [group, ...group.children.flatMap(withDescendants)];
}

function findGroup(
  reference: unknown,
  role: 'parent' | 'groups',
  groups: Groups,
  here: ProblemPlace,
): LooseGroup | undefined {
  const type = resolveReference(reference);
  if (type === undefined) {
    reportUndefined(role, role === 'parent' ? 'parent: () => TheGroup' : 'groups: [() => TheGroup]', here);
    return undefined;
  }
  const group = isClass(type) ? groups.get(type) : undefined;
  if (group === undefined) reportUnknownGroup(type, role, here);
  return group;
}

function reportUnknownGroup(type: unknown, role: 'parent' | 'groups', here: ProblemPlace): void {
  const name = isClass(type) ? type.name : String(type);
  const isGroup = isClass(type) && ownRecords(type, 'toolGroup').length > 0;
  const state = isGroup ? 'not part of the application' : 'no tool group';
  here.add('TW_SCAN_PARENT_UNKNOWN', {
    what: `names ${name} as ${role === 'parent' ? 'its parent' : 'a further group'}, which is ${state}.`,
    fix: isGroup
      ? `@Module({ controllers: [${name}] }) on a module of the application`
      : `@ToolGroup() on ${name}`,
  });
}

function checkRootOptions(
  group: LooseGroup,
  parents: ReadonlyMap<LooseGroup, LooseGroup>,
  problems: ProblemList,
): void {
  const seen = new Set<LooseGroup>();
  let root = group;
  for (let above = parents.get(group); above !== undefined && !seen.has(above); above = parents.get(above)) {
    seen.add(above);
    root = above;
  }
  const target = root === group ? 'the class at the root of the tree' : root.type.name;
  for (const option of ROOT_ONLY) {
    if (group.options[option] === undefined) continue;
    problems.at(group.type.name).add('TW_SCAN_ROOT_OPTION', {
      what: `sets ${option}, which counts on the root of a tool's tree only.`,
      fix: `move ${option} to the @ToolGroup of ${target}`,
    });
  }
}

function checkRings(
  groups: Groups,
  parents: ReadonlyMap<LooseGroup, LooseGroup>,
  problems: ProblemList,
): void {
  const parentOf = (group: LooseGroup): readonly LooseGroup[] => {
    const parent = parents.get(group);
    return parent === undefined ? [] : [parent];
  };
  orderDependenciesFirst(groups.values(), parentOf, (ring) => {
    const names = ring.map((group) => group.type.name);
    problems.at(names[0] ?? '').add('TW_SCAN_PARENT_CYCLE', {
      what: `is its own parent: ${names.join(' → ')}.`,
      fix: 'remove `parent` from one of them, which is then the tool',
    });
  });
}

function addGuests(groups: Groups, problems: ProblemList): void {
  // Collected first, so that an action that was just added as a guest is not visited again.
  for (const action of [...groups.values()].flatMap((group) => group.actions)) {
    for (const reference of action.options.groups ?? []) {
      findGroup(reference, 'groups', groups, problems.at(action.where))?.actions.push(action);
    }
  }
}
