import type { ProblemList } from '../errors/problem-list.ts';
import type { ToolGroupOptions } from '../metadata/options.ts';
import { ownRecords } from '../metadata/records.ts';
import { isClass, type Class } from '../shared/class-type.ts';
import type { ActionDraft } from './action-draft.ts';
import { reportUndefined } from './check-options.ts';
import { orderDependenciesFirst } from './find-rings.ts';
import type { GroupNode } from './group-node.ts';
import { resolveReference } from './resolve-reference.ts';

/** A group whose children and guest actions are still being added. */
export interface LooseGroup extends GroupNode {
  readonly children: LooseGroup[];
  readonly actions: ActionDraft[];
}

/** All groups of an application. */
export interface GroupForest {
  /** Each of them is a tool. */
  readonly roots: readonly GroupNode[];
  /** Groups that hang on a parent which does not exist, or on themselves; that has been reported. */
  readonly orphans: readonly GroupNode[];
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
export function linkGroups(groups: Groups, problems: ProblemList): GroupForest {
  const parents = new Map<LooseGroup, LooseGroup>();
  const roots: LooseGroup[] = [];
  for (const group of groups.values()) {
    if (!Object.hasOwn(group.options, 'parent')) {
      roots.push(group);
      continue;
    }
    const parent = findGroup(group.options.parent, group.type.name, 'parent', groups, problems);
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
  where: string,
  role: string,
  groups: Groups,
  problems: ProblemList,
): LooseGroup | undefined {
  const type = resolveReference(reference);
  if (type === undefined) {
    reportUndefined(
      where,
      role,
      role === 'parent' ? 'parent: () => TheGroup' : 'groups: [() => TheGroup]',
      problems,
    );
    return undefined;
  }
  const group = isClass(type) ? groups.get(type) : undefined;
  if (group === undefined) reportUnknownGroup(type, where, role, problems);
  return group;
}

function reportUnknownGroup(type: unknown, where: string, role: string, problems: ProblemList): void {
  const name = isClass(type) ? type.name : String(type);
  const isGroup = isClass(type) && ownRecords(type, 'toolGroup').length > 0;
  problems.add('TW_SCAN_PARENT_UNKNOWN', {
    where,
    what: `names ${name} as ${role === 'parent' ? 'its parent' : 'a further group'}, which is ${
      isGroup ? 'not part of the application' : 'no tool group'
    }.`,
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
    problems.add('TW_SCAN_ROOT_OPTION', {
      where: group.type.name,
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
    problems.add('TW_SCAN_PARENT_CYCLE', {
      where: names[0] ?? '',
      what: `is its own parent: ${names.join(' → ')}.`,
      fix: 'remove `parent` from one of them, which is then the tool',
    });
  });
}

function addGuests(groups: Groups, problems: ProblemList): void {
  // Collected first: an action must not be met again as the guest it just became.
  const guests = [...groups.values()].flatMap((group) =>
    group.actions.flatMap((action) =>
      (action.options.groups ?? []).map((reference) => ({ action, reference })),
    ),
  );
  for (const { action, reference } of guests) {
    findGroup(reference, action.where, 'groups', groups, problems)?.actions.push(action);
  }
}
