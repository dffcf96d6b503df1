import { expect, test } from '@jest/globals';
import {
  createAnnotations,
  createIcon,
  createToolAnnotations,
  Group,
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
  sealModel,
  Tool,
} from 'toolwright/model';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

function office() {
  const parts = {
    root: new Group('office'),
    rooms: new Group('rooms'),
    tool: new Tool('list'),
    prompt: new Prompt('review'),
    argument: new PromptArgument('topic'),
    resource: new Resource('readme'),
    template: new ResourceTemplate('file'),
  };
  const { root, rooms } = parts;
  root.addChildGroup(rooms);
  rooms.addChildTool(parts.tool);
  rooms.addChildPrompt(parts.prompt);
  rooms.addChildResource(parts.resource);
  rooms.addChildResourceTemplate(parts.template);
  parts.prompt.addPromptArgument(parts.argument);
  return parts;
}

const sealed = expect.objectContaining({ code: 'TW_MODEL_SEALED' });

test('after sealing, every mutator of every part throws, with members and with strangers', () => {
  const { root, rooms, tool, prompt, argument, resource, template } = office();
  sealModel(root);
  const open = new Group('open');
  const changes: (() => unknown)[] = [
    () => root.addChildGroup(rooms),
    () => root.addChildGroup(new Group('new')),
    () => root.removeChildGroup(rooms),
    () => rooms.addChildTool(new Tool('new')),
    () => rooms.removeChildTool(tool),
    () => rooms.addChildPrompt(new Prompt('new')),
    () => rooms.removeChildPrompt(prompt),
    () => rooms.addChildResource(new Resource('new')),
    () => rooms.removeChildResource(resource),
    () => rooms.addChildResourceTemplate(new ResourceTemplate('new')),
    () => rooms.removeChildResourceTemplate(template),
    () => tool.removeParentGroup(rooms),
    () => new Tool('new').addParentGroup(rooms),
    () => prompt.addPromptArgument(new PromptArgument('new')),
    () => prompt.removePromptArgument(argument),
    () => open.addChildGroup(rooms),
    () => open.addChildTool(tool),
    () => resource.addParentGroup(open),
  ];
  for (const change of changes) expect(change).toThrow(sealed);
  expect(root.childGroups).toEqual([rooms]);
  expect(rooms.parent).toBe(root);
  expect(rooms.childTools).toEqual([tool]);
  expect([open.childGroups, open.childTools, open.childResources]).toEqual([[], [], []]);
});

test('after sealing, setting any field throws, whether it was set before or not', () => {
  const parts = office();
  parts.tool.title = 'List';
  sealModel(parts.root);
  const { root, tool, prompt, argument, resource, template } = parts;
  const changes: [object, string][] = [
    ...[root, tool, prompt, argument, resource, template].flatMap((part) =>
      ['title', 'description', 'meta', 'icons'].map((field): [object, string] => [part, field]),
    ),
    ...['inputSchema', 'outputSchema', 'toolAnnotations'].map((field): [object, string] => [tool, field]),
    ...['uri', 'size', 'mimeType', 'annotations'].map((field): [object, string] => [resource, field]),
    ...['uriTemplate', 'mimeType', 'annotations'].map((field): [object, string] => [template, field]),
    [argument, 'required'],
  ];
  for (const [part, field] of changes) {
    expect(() => Object.assign(part, { [field]: undefined })).toThrow(sealed);
  }
  expect(tool.title).toBe('List');
  expect(Object.keys(tool)).toContain('title');
});

test('the message says what is compiled, what cannot change and where the change belongs', () => {
  const { root, tool } = office();
  sealModel(root);
  const act = () => (tool.title = 'late');
  expect(act).toThrow(/Tool "list" is already compiled; its title cannot change/);
  expect(act).toThrow(/fix: make the change in the decorated class or builder/);
});

test('sealing goes down into annotations, icons, schemas and meta', () => {
  const { root, tool, resource } = office();
  tool.inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
  tool.toolAnnotations = createToolAnnotations({ readOnlyHint: true });
  tool.icons = [createIcon({ src: 'a.png' })];
  tool.meta = new Map([['org/a', { deep: 1 }]]);
  resource.annotations = createAnnotations({ audience: ['user'] });
  sealModel(root);
  expect(() => (tool.toolAnnotations!.readOnlyHint = false)).toThrow(/toolAnnotations\.readOnlyHint/);
  expect(() => (tool.icons![0]!.src = 'b.png')).toThrow(/icons\.0\.src/);
  expect(() => (resource.annotations!.priority = 1)).toThrow(sealed);
  expect(() => tool.meta!.set('org/b', 1)).toThrow(sealed);
  expect(() => tool.meta!.delete('org/a')).toThrow(sealed);
  expect(() => {
    tool.meta!.clear();
  }).toThrow(sealed);
  expect(() => Object.assign(tool.meta!.get('org/a') as object, { deep: 2 })).toThrow(TypeError);
  expect(() => Object.assign(tool.inputSchema!.properties!.id!, { type: 'number' })).toThrow(TypeError);
  expect(() => (tool.icons as unknown[]).push(1)).toThrow(TypeError);
  expect(() => (resource.annotations!.audience as unknown[]).push(1)).toThrow(TypeError);
  expect(tool.meta).toEqual(new Map([['org/a', { deep: 1 }]]));
});

test('what the caller passed in is copied, not frozen, and changing it later changes nothing', () => {
  const { root, tool } = office();
  const properties: Record<string, JsonSchema> = {};
  const meta = new Map<string, unknown>([['a', 1]]);
  tool.inputSchema = { type: 'object', properties };
  tool.meta = meta;
  sealModel(root);
  properties.late = {};
  meta.set('b', 2);
  expect(tool.inputSchema).toEqual({ type: 'object', properties: {} });
  expect(tool.meta).toEqual(new Map([['a', 1]]));
});

test('several roots and lone leaves are sealed together, and sealing twice is harmless', () => {
  const [group, tool] = [new Group('a'), new Tool('b')];
  sealModel([group, tool]);
  sealModel([group, tool]);
  expect(() => (tool.title = 'late')).toThrow(sealed);
  expect(() => group.addChildTool(tool)).toThrow(sealed);
});

test('a group outside of the sealed tree stays open, but not for its shared leaves', () => {
  const { root, tool } = office();
  const open = new Group('open');
  open.addChildTool(tool);
  sealModel(root);
  expect(() => open.removeChildTool(tool)).toThrow(sealed);
  expect(open.childTools).toEqual([tool]);
  expect(open.addChildTool(new Tool('other'))).toBe(true);
});

test('an unsealed field can still be set and is a plain member', () => {
  const group = new Group('a');
  group.title = 'A';
  expect(Object.getOwnPropertyDescriptor(group, 'title')).toMatchObject({ value: 'A', writable: true });
});
