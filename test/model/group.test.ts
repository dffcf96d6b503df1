import { expect, test, describe } from '@jest/globals';
import {
  BaseModel,
  Group,
  Tool,
  GroupItem,
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
} from 'toolwright/model';

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

interface Operations<T extends GroupItem> {
  make: (name: string) => T;
  add: (group: Group, item: T) => boolean;
  remove: (group: Group, item: T) => boolean;
  list: (group: Group) => readonly T[];
}

function describeLeaf<T extends GroupItem>(kind: string, { make, add, remove, list }: Operations<T>): void {
  describe(kind, () => {
    test('starts without parents and refuses an empty name', () => {
      expect(make('x')).toBeInstanceOf(GroupItem);
      expect(make('x').parentGroups).toEqual([]);
      expect(make('x').getParentGroupRoots()).toEqual([]);
      expect(() => make('')).toThrow(expect.objectContaining({ code: 'TW_MODEL_NAME' }));
    });

    test('is linked on both ends whichever side adds it, and the other side then answers false', () => {
      const [fromGroup, fromItem] = [new Group('a'), new Group('a')];
      const [first, second] = [make('x'), make('x')];
      expect([add(fromGroup, first), second.addParentGroup(fromItem)]).toEqual([true, true]);
      expect([list(fromGroup), list(fromItem)]).toEqual([[first], [second]]);
      expect([first.parentGroups[0], second.parentGroups[0]]).toEqual([fromGroup, fromItem]);
      expect([first.addParentGroup(fromGroup), add(fromItem, second)]).toEqual([false, false]);
      expect([list(fromGroup).length, first.parentGroups.length]).toEqual([1, 1]);
    });

    test('is parted on both ends whichever side removes it, and the other side then answers false', () => {
      const [a, b] = [new Group('a'), new Group('b')];
      const item = make('x');
      add(a, item);
      add(b, item);
      expect(remove(a, item)).toBe(true);
      expect(item.removeParentGroup(a)).toBe(false);
      expect(item.removeParentGroup(b)).toBe(true);
      expect(remove(b, item)).toBe(false);
      expect([list(a), list(b), item.parentGroups]).toEqual([[], [], []]);
    });

    test('lists its groups in the order of joining, and leaving one does not touch the others', () => {
      const [a, b, c] = [new Group('a'), new Group('b'), new Group('c')];
      const item = make('x');
      for (const group of [c, a, b]) add(group, item);
      expect(item.parentGroups.map((group) => group.name)).toEqual(['c', 'a', 'b']);
      remove(a, item);
      expect(item.parentGroups.map((group) => group.name)).toEqual(['c', 'b']);
      expect([list(a), list(b), list(c)]).toEqual([[], [item], [item]]);
    });

    test('has one root per parent in the order of its parents', () => {
      const [root, child, other] = [new Group('root'), new Group('child'), new Group('other')];
      root.addChildGroup(child);
      const item = make('x');
      for (const group of [child, other, root]) item.addParentGroup(group);
      expect(item.getParentGroupRoots().map((group) => group.name)).toEqual(['root', 'other', 'root']);
    });

    test('answers its plain name however many groups it is in', () => {
      const item = make('x');
      item.addParentGroup(new Group('a'));
      expect(item.getFullyQualifiedName()).toBe('x');
      item.addParentGroup(new Group('b'));
      expect(item.getFullyQualifiedName()).toBe('x');
    });

    test('stays in the order of insertion of its group', () => {
      const group = new Group('a');
      const items = ['z', 'x', 'y'].map(make);
      for (const item of items) add(group, item);
      remove(group, items[0]!);
      add(group, items[0]!);
      expect(list(group).map((item) => item.name)).toEqual(['x', 'y', 'z']);
    });
  });
}

describeLeaf('a tool', {
  make: (name) => new Tool(name),
  add: (group, item) => group.addChildTool(item),
  remove: (group, item) => group.removeChildTool(item),
  list: (group) => group.childTools,
});

describeLeaf('a prompt', {
  make: (name) => new Prompt(name),
  add: (group, item) => group.addChildPrompt(item),
  remove: (group, item) => group.removeChildPrompt(item),
  list: (group) => group.childPrompts,
});

describeLeaf('a resource', {
  make: (name) => new Resource(name),
  add: (group, item) => group.addChildResource(item),
  remove: (group, item) => group.removeChildResource(item),
  list: (group) => group.childResources,
});

describeLeaf('a resource template', {
  make: (name) => new ResourceTemplate(name),
  add: (group, item) => group.addChildResourceTemplate(item),
  remove: (group, item) => group.removeChildResourceTemplate(item),
  list: (group) => group.childResourceTemplates,
});

test('the fields of every leaf are undefined at first', () => {
  const { inputSchema, outputSchema, toolAnnotations } = new Tool('t');
  const { uri, size, mimeType, annotations } = new Resource('r');
  const template = new ResourceTemplate('r');
  expect([inputSchema, outputSchema, toolAnnotations, uri, size, mimeType, annotations]).toEqual(
    Array(7).fill(undefined),
  );
  expect([template.uriTemplate, template.mimeType, template.annotations]).toEqual(Array(3).fill(undefined));
  expect('size' in template).toBe(false);
});

test('leaves and arguments take only a name', () => {
  const make = [Tool, Prompt, Resource, ResourceTemplate, PromptArgument] as unknown as (new (
    ...args: string[]
  ) => GroupItem)[];
  for (const kind of make) expect(new kind('x', '/').nameSeparator).toBe('.');
});

test('a prompt holds the same argument once, in the order of adding', () => {
  const prompt = new Prompt('review');
  const [a, b] = [new PromptArgument('a'), new PromptArgument('a')];
  expect(prompt.promptArguments).toEqual([]);
  expect([b, a, b].map((argument) => prompt.addPromptArgument(argument))).toEqual([true, true, false]);
  expect(prompt.promptArguments[0]).toBe(b);
  expect(prompt.promptArguments).toHaveLength(2);
  expect([prompt.removePromptArgument(b), prompt.removePromptArgument(b)]).toEqual([true, false]);
  expect(prompt.promptArguments).toHaveLength(1);
});

test('an argument is not required at first and answers its plain name', () => {
  const argument = new PromptArgument('topic');
  expect(argument.required).toBe(false);
  expect(argument.getFullyQualifiedName()).toBe('topic');
  expect(() => new PromptArgument('')).toThrow(expect.objectContaining({ code: 'TW_MODEL_NAME' }));
});
