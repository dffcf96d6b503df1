import { describe, expect, test } from '@jest/globals';
import { Group, GroupItem, Prompt, PromptArgument, Resource, ResourceTemplate, Tool } from 'toolwright/model';

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
