import { expect, test } from '@jest/globals';
import {
  createAnnotations,
  createIcon,
  createToolAnnotations,
  Group,
  McpGroupConverter,
  McpPromptConverter,
  McpResourceConverter,
  McpResourceTemplateConverter,
  McpToolConverter,
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
  Tool,
  type WirePrompt,
} from 'toolwright/model';
import { deepFreeze } from '../../src/shared/deep-freeze.ts';
import { fieldsOf } from './facts-of.ts';

const incomplete = expect.objectContaining({ code: 'TW_MODEL_INCOMPLETE' });

function fullTool(): Tool {
  const tool = new Tool('list');
  tool.meta = new Map([['org/level', 1]]);
  tool.icons = [createIcon({ theme: 'dark', src: 'a.png' })];
  tool.toolAnnotations = createToolAnnotations({ destructiveHint: false, readOnlyHint: true });
  tool.outputSchema = { type: 'object', properties: { rows: { type: 'array' } } };
  tool.inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  tool.description = 'Lists';
  tool.title = 'List';
  return tool;
}

test('the members of a wire tool stand in one order, whatever order they were set in', () => {
  expect(JSON.stringify(new McpToolConverter().convertFromTool(fullTool()))).toBe(
    '{"name":"list","title":"List","description":"Lists",' +
      '"inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},' +
      '"outputSchema":{"type":"object","properties":{"rows":{"type":"array"}}},' +
      '"annotations":{"readOnlyHint":true,"destructiveHint":false},' +
      '"icons":[{"src":"a.png","theme":"dark"}],"_meta":{"org/level":1}}',
  );
});

test('undefined members are left out, and a tool without input schema accepts an object', () => {
  const wire = new McpToolConverter().convertFromTool(new Tool('ping'));
  expect(Object.entries(wire)).toEqual([
    ['name', 'ping'],
    ['inputSchema', { type: 'object' }],
  ]);
});

test('wire objects are plain, and share nothing with the model', () => {
  const tool = fullTool();
  const wire = new McpToolConverter().convertFromTool(tool);
  expect(structuredClone(wire)).toStrictEqual(wire);
  for (const part of [wire, wire.annotations, wire.icons?.[0], wire._meta]) {
    expect(Object.getPrototypeOf(part)).toBe(Object.prototype);
  }
  wire.inputSchema.required?.push('more');
  Object.assign(wire.inputSchema.properties!.id!, { type: 'number' });
  expect(tool.inputSchema).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] });
});

test('the model shares nothing with the wire object it was read from', () => {
  const wire = new McpToolConverter().convertFromTool(fullTool());
  const tool = new McpToolConverter().convertToTool(wire);
  wire.inputSchema.required?.push('more');
  wire._meta!['org/level'] = 2;
  expect(tool.inputSchema?.required).toEqual(['id']);
  expect(tool.meta).toEqual(new Map([['org/level', 1]]));
});

test('a deeply frozen wire object can be read', () => {
  const wire = deepFreeze(new McpToolConverter().convertFromTool(fullTool()));
  expect(fieldsOf(new McpToolConverter().convertToTool(wire))).toEqual(fieldsOf(fullTool()));
});

test('a __proto__ key in meta stays a plain key in both directions', () => {
  const tool = new Tool('list');
  tool.meta = new Map([['__proto__', { polluted: true }]]);
  const wire = new McpToolConverter().convertFromTool(tool);
  expect(JSON.stringify(wire._meta)).toBe('{"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(wire._meta)).toBe(Object.prototype);
  expect(new McpToolConverter().convertToTool(wire).meta).toEqual(tool.meta);
});

test('a prompt lists its arguments in order and says of each whether it is required', () => {
  const prompt = new Prompt('review');
  const [topic, depth] = [new PromptArgument('topic'), new PromptArgument('depth')];
  topic.required = true;
  depth.description = 'How deep';
  prompt.addPromptArgument(topic);
  prompt.addPromptArgument(depth);
  expect(new McpPromptConverter().convertFromPrompt(prompt)).toStrictEqual({
    name: 'review',
    arguments: [
      { name: 'topic', required: true },
      { name: 'depth', description: 'How deep', required: false },
    ],
  });
});

test('a prompt without arguments has none on the wire, and absent arguments are read as none', () => {
  const wire = new McpPromptConverter().convertFromPrompt(new Prompt('ping'));
  expect(wire).toStrictEqual({ name: 'ping' });
  expect(new McpPromptConverter().convertToPrompt(wire).promptArguments).toEqual([]);
});

test.each([
  [true, true],
  [false, false],
  [undefined, false],
  ['True', false],
  ['true', false],
  ['false', false],
  [1, false],
])('an argument with required %p is read as %p', (required, expected) => {
  const wire = { name: 'p', arguments: [{ name: 'a', required }] } as WirePrompt;
  expect(new McpPromptConverter().convertToPrompt(wire).promptArguments[0]?.required).toBe(expected);
});

test('a resource and a template carry their own members between texts and icons', () => {
  const resource = new Resource('readme');
  resource.annotations = createAnnotations({ priority: 1, audience: ['user'] });
  resource.size = 0;
  resource.mimeType = 'text/plain';
  resource.uri = 'file:///a';
  resource.icons = [];
  expect(JSON.stringify(new McpResourceConverter().convertFromResource(resource))).toBe(
    '{"name":"readme","uri":"file:///a","mimeType":"text/plain","size":0,' +
      '"annotations":{"audience":["user"],"priority":1},"icons":[]}',
  );
  const template = new ResourceTemplate('file');
  template.title = 'File';
  template.uriTemplate = 'file:///{path}';
  expect(JSON.stringify(new McpResourceTemplateConverter().convertFromResourceTemplate(template))).toBe(
    '{"name":"file","title":"File","uriTemplate":"file:///{path}"}',
  );
});

test('what MCP requires and the model lacks is an error that names both', () => {
  const icon = new Tool('list');
  icon.icons = [createIcon({})];
  const acts: [() => unknown, RegExp][] = [
    [() => new McpResourceConverter().convertFrom(new Resource('readme')), /Resource "readme" has no uri/],
    [
      () => new McpResourceTemplateConverter().convertFrom(new ResourceTemplate('file')),
      /ResourceTemplate "file" has no uriTemplate/,
    ],
    [() => new McpToolConverter().convertFrom(icon), /Tool "list" has no icons\[\]\.src/],
  ];
  for (const [act, message] of acts) {
    expect(act).toThrow(incomplete);
    expect(act).toThrow(message);
  }
});

test('a wire object without a name is refused like any model without one', () => {
  expect(() => new McpToolConverter().convertToTool({ name: '', inputSchema: { type: 'object' } })).toThrow(
    expect.objectContaining({ code: 'TW_MODEL_NAME' }),
  );
});

test('a tree becomes plain data with all lists, and a separator only where it is not the default', () => {
  const [office, rooms] = [new Group('office', '/'), new Group('rooms')];
  office.title = 'Office';
  office.addChildGroup(rooms);
  rooms.addChildPrompt(new Prompt('ask'));
  const lists = { groups: [], tools: [], prompts: [], resources: [], resourceTemplates: [] };
  const wire = new McpGroupConverter().convertFromGroup(office);
  expect(wire).toStrictEqual({
    name: 'office',
    nameSeparator: '/',
    title: 'Office',
    ...lists,
    groups: [{ name: 'rooms', ...lists, prompts: [{ name: 'ask' }] }],
  });
  expect(Object.keys(wire)).toEqual([
    'name',
    'title',
    'nameSeparator',
    'groups',
    'tools',
    'prompts',
    'resources',
    'resourceTemplates',
  ]);
});

test('a leaf with two parents is one object on both sides; JSON text splits it', () => {
  const [office, rooms] = [new Group('office'), new Group('rooms')];
  office.addChildGroup(rooms);
  for (const group of [office, rooms]) group.addChildTool(new Tool('own'));
  const shared = new Tool('shared');
  for (const group of [office, rooms]) group.addChildTool(shared);
  const converter = new McpGroupConverter();
  const wire = converter.convertFromGroup(office);
  expect(wire.tools[1]).toBe(wire.groups[0]?.tools[1]);
  expect(wire.tools[0]).not.toBe(wire.groups[0]?.tools[0]);
  const copy = converter.convertToGroup(wire);
  expect(copy.childTools[1]?.parentGroups.map(String)).toEqual(['Group "rooms"', 'Group "office"']);
  const parsed = converter.convertToGroup(JSON.parse(JSON.stringify(wire)) as typeof wire);
  expect(parsed.childTools[1]?.parentGroups).toHaveLength(1);
});

test('converting a group below another one leaves the one above out', () => {
  const [office, rooms] = [new Group('office'), new Group('rooms')];
  office.addChildGroup(rooms);
  const converter = new McpGroupConverter();
  expect(converter.convertToGroup(converter.convertFromGroup(rooms)).isRoot()).toBe(true);
});
