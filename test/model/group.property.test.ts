import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Group, type GroupItem, Prompt, Resource, ResourceTemplate, Tool } from 'toolwright/model';
import { tries } from '../support/thorough.ts';

const GROUPS = 6;
const ITEMS = 8;

type Edge = readonly [group: number, member: number];
interface Step {
  action: 'add' | 'remove';
  side: 'group' | 'item';
  kind: 'groups' | 'items';
  group: number;
  member: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('add', 'add', 'remove'),
  side: fc.constantFrom('group', 'item'),
  kind: fc.constantFrom('groups', 'items'),
  group: fc.nat(GROUPS - 1),
  member: fc.nat(ITEMS - 1),
});

/** What the model has to look like: edges in the order of their making, and nothing else. */
class Oracle {
  groups: Edge[] = [];
  items: Edge[] = [];

  apply({ action, kind, group, member }: Step): boolean | 'cycle' {
    const edges = this[kind];
    const isPresent = edges.some((edge) => edge[0] === group && edge[1] === member);
    if (action === 'add' && kind === 'groups' && this.isAbove(member, group)) return 'cycle';
    if (isPresent === (action === 'add')) return false;
    const isGone = (edge: Edge) => edge[1] === member && (kind === 'groups' || edge[0] === group);
    this[kind] = edges.filter((edge) => !isGone(edge));
    if (action === 'add') this[kind].push([group, member]);
    return true;
  }

  isAbove(upper: number, lower: number): boolean {
    if (upper === lower) return true;
    const parent = this.groups.find((edge) => edge[1] === lower)?.[0];
    return parent !== undefined && this.isAbove(upper, parent);
  }
}

function makeModel() {
  const groups = Array.from({ length: GROUPS }, (_, index) => new Group(`g${String(index)}`));
  const kinds = [Tool, Prompt, Resource, ResourceTemplate];
  const items = Array.from({ length: ITEMS }, (_, index) => new kinds[index % 4]!(`i${String(index)}`));
  return { groups, items };
}

function addFromGroup(group: Group, item: GroupItem): boolean {
  if (item instanceof Tool) return group.addChildTool(item);
  if (item instanceof Prompt) return group.addChildPrompt(item);
  if (item instanceof Resource) return group.addChildResource(item);
  if (item instanceof ResourceTemplate) return group.addChildResourceTemplate(item);
  throw new Error(`unknown kind of ${String(item)}`);
}

function removeFromGroup(group: Group, item: GroupItem): boolean {
  if (item instanceof Tool) return group.removeChildTool(item);
  if (item instanceof Prompt) return group.removeChildPrompt(item);
  if (item instanceof Resource) return group.removeChildResource(item);
  if (item instanceof ResourceTemplate) return group.removeChildResourceTemplate(item);
  throw new Error(`unknown kind of ${String(item)}`);
}

function run(model: ReturnType<typeof makeModel>, { action, side, kind, group, member }: Step): boolean {
  const parent = model.groups[group]!;
  if (kind === 'groups') {
    const child = model.groups[member]!;
    return action === 'add' ? parent.addChildGroup(child) : parent.removeChildGroup(child);
  }
  const item = model.items[member]!;
  if (side === 'item') return action === 'add' ? item.addParentGroup(parent) : item.removeParentGroup(parent);
  return action === 'add' ? addFromGroup(parent, item) : removeFromGroup(parent, item);
}

function itemsOf(group: Group): GroupItem[][] {
  const { childTools, childPrompts, childResources, childResourceTemplates } = group;
  return [childTools, childPrompts, childResources, childResourceTemplates].map((list) => [...list]);
}

function check({ groups, items }: ReturnType<typeof makeModel>, oracle: Oracle): void {
  groups.forEach((group, index) => {
    const below = oracle.groups.filter((edge) => edge[0] === index).map((edge) => groups[edge[1]]);
    expect(group.childGroups.map(String)).toEqual(below.map(String));
    const parent = oracle.groups.find((edge) => edge[1] === index)?.[0];
    expect(group.parent).toBe(parent === undefined ? null : groups[parent]);
    const held = oracle.items.filter((edge) => edge[0] === index).map((edge) => edge[1]);
    const byKind = [0, 1, 2, 3].map((kind) =>
      held.filter((item) => item % 4 === kind).map((item) => `i${String(item)}`),
    );
    expect(itemsOf(group).map((list) => list.map((item) => item.name))).toEqual(byKind);
    expect(group.getRoot().isRoot()).toBe(true);
  });
  items.forEach((item, index) => {
    const parents = oracle.items.filter((edge) => edge[1] === index).map((edge) => groups[edge[0]]);
    expect(item.parentGroups.map(String)).toEqual(parents.map(String));
    expect(item.getParentGroupRoots().map(String)).toEqual(parents.map((group) => String(group?.getRoot())));
  });
}

test('any sequence of adding, moving and removing from either side keeps both sides consistent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = makeModel();
      const oracle = new Oracle();
      for (const raw of steps) {
        const next = raw.kind === 'groups' ? { ...raw, member: raw.member % GROUPS } : raw;
        const expected = oracle.apply(next);
        if (expected === 'cycle') expect(() => run(model, next)).toThrow(/TW_MODEL_CYCLE/);
        else expect(run(model, next)).toBe(expected);
      }
      check(model, oracle);
    }),
    { numRuns: tries(50, 300) },
  );
});

test('a qualified name is the names of all ancestors joined by its own separator', () => {
  const segment = fc.record({ name: fc.string({ minLength: 1 }), separator: fc.string({ maxLength: 2 }) });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (segments) => {
      const groups = segments.map(({ name, separator }) => new Group(name, separator));
      groups.forEach((group, index) => groups[index - 1]?.addChildGroup(group));
      groups.forEach((group, index) => {
        const names = segments.slice(0, index + 1).map(({ name }) => name);
        expect(group.getFullyQualifiedName()).toBe(names.join(segments[index]!.separator));
      });
    }),
  );
});
