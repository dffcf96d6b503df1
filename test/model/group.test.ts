import { expect, test } from '@jest/globals';
import { BaseModel, Group, Tool } from 'toolwright/model';

function chain(...names: string[]): Group[] {
  const groups = names.map((name) => new Group(name));
  groups.forEach((group, index) => groups[index - 1]?.addChildGroup(group));
  return groups;
}

test('a new group has nothing but its name and the default separator', () => {
  const group = new Group('office');
  expect(group).toBeInstanceOf(BaseModel);
  expect([group.name, group.nameSeparator, group.parent]).toEqual(['office', '.', null]);
  expect([group.title, group.description, group.meta, group.icons]).toEqual(Array(4).fill(undefined));
  for (const list of [
    group.childGroups,
    group.childTools,
    group.childPrompts,
    group.childResources,
    group.childResourceTemplates,
  ]) {
    expect(list).toEqual([]);
    expect(Array.isArray(list)).toBe(true);
  }
});

test('the default separator is a dot, and only an absent separator means it', () => {
  expect(BaseModel.DEFAULT_SEPARATOR).toBe('.');
  expect(new Group('a', undefined).nameSeparator).toBe('.');
  expect(new Group('a', '').nameSeparator).toBe('');
  expect(() => new Group('a', null as never)).toThrow(expect.objectContaining({ code: 'TW_MODEL_NAME' }));
});

test.each(['', undefined, null, 7])('refuses %p for the name of a group', (name) => {
  expect(() => new Group(name as string)).toThrow(expect.objectContaining({ code: 'TW_MODEL_NAME' }));
});

test('name and separator cannot be assigned', () => {
  const group = new Group('a', '/');
  expect(() => Object.assign(group, { name: 'b' })).toThrow(TypeError);
  expect(() => Object.assign(group, { nameSeparator: '-' })).toThrow(TypeError);
  expect([group.name, group.nameSeparator]).toEqual(['a', '/']);
});

test('adding answers whether the structure changed, keeps the order and holds no duplicates', () => {
  const root = new Group('root');
  const [a, b] = [new Group('a'), new Group('b')];
  expect([root.addChildGroup(b), root.addChildGroup(a), root.addChildGroup(b)]).toEqual([true, true, false]);
  expect(root.childGroups.map((group) => group.name)).toEqual(['b', 'a']);
});

test('removing a child group sets its parent back to null and answers false the second time', () => {
  const [root, child] = chain('root', 'child') as [Group, Group];
  expect(child.parent).toBe(root);
  expect(root.removeChildGroup(child)).toBe(true);
  expect(child.parent).toBeNull();
  expect(root.childGroups).toEqual([]);
  expect(root.removeChildGroup(child)).toBe(false);
});

test('removing a group that belongs elsewhere changes nothing', () => {
  const [root, child] = chain('root', 'child') as [Group, Group];
  expect(new Group('other').removeChildGroup(child)).toBe(false);
  expect(child.parent).toBe(root);
});

test('adding a group that has another parent moves it', () => {
  const [first, child] = chain('first', 'child') as [Group, Group];
  const second = new Group('second');
  expect(second.addChildGroup(child)).toBe(true);
  expect(first.childGroups).toEqual([]);
  expect(second.childGroups).toEqual([child]);
  expect(child.parent).toBe(second);
});

test('a group may move to another place of its own tree', () => {
  const [root, , leaf] = chain('root', 'middle', 'leaf') as [Group, Group, Group];
  expect(root.addChildGroup(leaf)).toBe(true);
  expect(root.childGroups.map((group) => group.name)).toEqual(['middle', 'leaf']);
});

test.each([
  ['itself', 'c', 'c'],
  ['its child', 'b', 'c'],
  ['its deepest descendant', 'a', 'c'],
])('refuses to add a group to %s, names both and leaves all as it was', (_case, added, target) => {
  const groups = chain('a', 'b', 'c');
  const find = (name: string) => groups.find((group) => group.name === name)!;
  const act = () => find(target).addChildGroup(find(added));
  expect(act).toThrow(expect.objectContaining({ code: 'TW_MODEL_CYCLE' }));
  expect(act).toThrow(new RegExp(`"${added}".*"${target}"`));
  expect(groups.map((group) => group.parent)).toEqual([null, groups[0], groups[1]]);
  expect(groups.map((group) => group.childGroups)).toEqual([[groups[1]], [groups[2]], []]);
});

test('a group without parent is a root and its own root', () => {
  const [a, b, c] = chain('a', 'b', 'c') as [Group, Group, Group];
  expect([a.isRoot(), b.isRoot(), c.isRoot()]).toEqual([true, false, false]);
  expect([a.getRoot(), b.getRoot(), c.getRoot()]).toEqual([a, a, a]);
  a.removeChildGroup(b);
  expect([b.isRoot(), c.getRoot()]).toEqual([true, b]);
});

test('a path is joined by the separator of the group whose name is requested', () => {
  const [a, b, c] = [new Group('a', '/'), new Group('b', '::'), new Group('c')];
  a.addChildGroup(b);
  b.addChildGroup(c);
  expect([a, b, c].map((group) => group.getFullyQualifiedName())).toEqual(['a', 'a::b', 'a.b.c']);
});

test('an empty separator joins the names directly', () => {
  const [root, child] = [new Group('over'), new Group('view', '')];
  root.addChildGroup(child);
  expect(child.getFullyQualifiedName()).toBe('overview');
});

test('a very deep tree is walked without recursion', () => {
  const groups = Array.from({ length: 2000 }, (_, index) => new Group(`g${String(index)}`));
  groups.forEach((group, index) => groups[index - 1]?.addChildGroup(group));
  expect(groups.at(-1)!.getRoot()).toBe(groups[0]);
  expect(() => groups.at(-1)!.addChildGroup(groups[0]!)).toThrow(/"g0".*"g1999"/);
});

test('the lists that callers read cannot be changed and do not change later', () => {
  const group = new Group('group');
  const before = group.childTools;
  group.addChildTool(new Tool('list'));
  expect(before).toEqual([]);
  expect(group.childTools).toBe(group.childTools);
  expect(() => (group.childTools as Tool[]).push(new Tool('other'))).toThrow(TypeError);
  expect(group.childTools).toHaveLength(1);
});

test('a group survives JSON.stringify in spite of its links back', () => {
  const [root, child] = chain('root', 'child') as [Group, Group];
  child.title = 'Child';
  expect(JSON.parse(JSON.stringify([root, child]))).toMatchObject([
    { name: 'root' },
    { name: 'child', title: 'Child' },
  ]);
});
