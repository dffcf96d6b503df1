import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { IsString } from 'class-validator';
import {
  Action,
  Destructive,
  Field,
  Injectable,
  Input,
  Module,
  Prompt,
  ReadOnly,
  Resource,
  ToolGroup,
  type ApplicationModel,
} from 'toolwright';
import {
  Group,
  McpGroupConverter,
  McpPromptConverter,
  McpResourceConverter,
  McpResourceTemplateConverter,
  Prompt as PromptModel,
  PromptArgument,
  Tool,
} from 'toolwright/model';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { sendRaw } from '../support/attached-client.ts';
import { codeOf } from '../support/thrown.ts';
import { titleFromName } from '../../src/shared/names.ts';

class Page {
  @IsString() @Field('Name of the page') name!: string;
}

class Tenant {
  @IsString() tenant!: string;
}

@ToolGroup({
  name: 'wiki',
  title: 'Wiki',
  description: 'A wiki',
  icons: [{ src: 'https://example.com/w.svg' }],
})
class WikiTools {
  @Resource('wiki://index', { size: 3, annotations: { priority: 1 } }) index(): string { return ''; } // oxfmt-ignore
}

@ToolGroup({ name: 'pages', parent: WikiTools })
class PageTools {
  @Action('Find pages') @ReadOnly() find(): void {}
}

@ToolGroup({ name: 'admin', parent: WikiTools, description: 'For admins', common: Tenant })
class AdminTools {
  @Action({ description: 'Delete a page', output: Page, groups: [() => TrashTools] })
  @Destructive()
  delete(page: Page): Page {
    return page;
  }

  @Prompt({ title: 'Clean up', description: 'What may go?', meta: { a: 1 } }) cleanUp({
    name,
  }: Page): string {
    return name;
  }
}

@ToolGroup({ name: 'trash', parent: AdminTools })
class TrashTools {
  @Resource('wiki://trash/{name}', { mimeType: 'text/plain' }) trashed({ name }: Page): string {
    return name;
  }
}

@Injectable()
class LooseOffers {
  @Prompt() loose(): string { return ''; } // oxfmt-ignore
  @Resource('loose://{x}') template(@Input() _variables: Record<string, string>): string { return ''; } // oxfmt-ignore
}

@Module({ controllers: [WikiTools, PageTools, AdminTools, TrashTools, LooseOffers] })
class WikiModule {}

let app: TestApplication;
let client: Client;
let model: ApplicationModel;

beforeAll(async () => {
  app = await createTestApplication(WikiModule);
  client = await app.client();
  model = app.app.model;
});
afterAll(() => app.close());

const names = (items: readonly { readonly name: string }[]): readonly string[] =>
  items.map(({ name }) => name);

function groups(): readonly [Group, Group, Group] {
  const [wiki] = model.groups;
  const [, admin] = wiki?.childGroups ?? [];
  const [trash] = admin?.childGroups ?? [];
  if (wiki === undefined || admin === undefined || trash === undefined) throw new Error('The tree is broken');
  return [wiki, admin, trash];
}

describe('the model of an application', () => {
  test('has the tree of the groups, with what they say of themselves', () => {
    const [wiki, admin, trash] = groups();
    expect(names(model.groups)).toEqual(['wiki']);
    expect(trash.getFullyQualifiedName()).toBe('wiki.admin.trash');
    expect([wiki.title, wiki.description, wiki.icons?.[0]?.src]).toEqual([
      'Wiki',
      'A wiki',
      'https://example.com/w.svg',
    ]);
    expect([admin.description, trash.getRoot(), trash.parent]).toEqual(['For admins', wiki, admin]);
  });

  test('has each action once, as a leaf of every group that it belongs to', () => {
    const [wiki, admin, trash] = groups();
    expect([wiki, admin, trash].map(({ childTools }) => names(childTools))).toEqual([
      [],
      ['delete'],
      ['delete'],
    ]);
    const [leaf] = admin.childTools;
    expect(leaf).toBe(trash.childTools[0]);
    expect(leaf?.parentGroups).toEqual([admin, trash]);
    expect(leaf?.getParentGroupRoots()).toEqual([wiki, wiki]);
    expect(leaf?.getFullyQualifiedName()).toBe('delete');
    expect(leaf?.toolAnnotations).toMatchObject({ destructiveHint: true, readOnlyHint: false });
    expect(names(Object.keys(leaf?.inputSchema?.properties ?? {}).map((name) => ({ name })))).toEqual([
      'name',
    ]);
    expect(leaf?.outputSchema).toMatchObject({ type: 'object', required: ['name'] });
  });

  test('links prompts and resources to the groups of their classes', () => {
    const [wiki, admin, trash] = groups();
    expect([names(model.prompts), names(model.resources), names(model.resourceTemplates)]).toEqual([
      ['cleanUp', 'loose'],
      ['index'],
      ['trashed', 'template'],
    ]);
    expect(admin.childPrompts).toEqual([model.prompts[0]]);
    expect(wiki.childResources).toEqual([model.resources[0]]);
    expect(trash.childResourceTemplates).toEqual([model.resourceTemplates[0]]);
    expect(model.prompts[1]?.parentGroups).toEqual([]);
  });

  test('converts to plain data and back', () => {
    const converter = new McpGroupConverter();
    const [wiki] = groups();
    const wire = converter.convertFromGroup(wiki);
    expect(converter.convertFromGroup(converter.convertToGroup(wire))).toEqual(wire);
    expect(wire.groups[1]?.tools[0]).toBe(wire.groups[1]?.groups[0]?.tools[0]);
  });
});

/** A title is added where a list is served. */
function titled<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ title: titleFromName(item.name), ...item }));
}

test('the wire lists are what the converters give for the model', async () => {
  const wire = {
    prompts: model.prompts.map((prompt) => new McpPromptConverter().convertFromPrompt(prompt)),
    resources: model.resources.map((resource) => new McpResourceConverter().convertFromResource(resource)),
    resourceTemplates: model.resourceTemplates.map((template) =>
      new McpResourceTemplateConverter().convertFromResourceTemplate(template),
    ),
  };
  expect(await sendRaw(client, 'prompts/list', {})).toEqual({ prompts: titled(wire.prompts) });
  expect(await sendRaw(client, 'resources/list', {})).toEqual({ resources: titled(wire.resources) });
  expect(await sendRaw(client, 'resources/templates/list', {})).toEqual({
    resourceTemplates: titled(wire.resourceTemplates),
  });
  expect(wire.prompts[0]).toEqual({
    name: 'cleanUp',
    title: 'Clean up',
    description: 'What may go?',
    _meta: { a: 1 },
    arguments: [{ name: 'name', description: 'Name of the page', required: true }],
  });
});

test('the listed tool is the form of the root group', async () => {
  const [tool] = (await client.listTools()).tools;
  expect(tool).toMatchObject({ name: 'wiki', title: 'Wiki', icons: [{ src: 'https://example.com/w.svg' }] });
  expect(tool?.inputSchema.properties?.['action']).toMatchObject({
    enum: ['pages.find', 'admin.delete', 'admin.trash.delete'],
  });
});

describe('the sealed model', () => {
  test('takes nothing, gives nothing away, and cannot be linked from outside', () => {
    const [wiki, admin, trash] = groups();
    const [leaf] = admin.childTools;
    const [prompt] = model.prompts;
    const changes: (() => unknown)[] = [
      () => wiki.addChildTool(new Tool('late')),
      () => new Tool('late').addParentGroup(wiki),
      () => admin.removeChildTool(leaf!),
      () => leaf!.removeParentGroup(admin),
      () => leaf!.addParentGroup(new Group('elsewhere')),
      () => new Group('above').addChildGroup(wiki),
      () => trash.addChildGroup(new Group('below')),
      () => admin.removeChildGroup(trash),
      () => admin.addChildPrompt(new PromptModel('late')),
      () => wiki.removeChildResource(model.resources[0]!),
      () => trash.removeChildResourceTemplate(model.resourceTemplates[0]!),
      () => prompt!.addPromptArgument(new PromptArgument('late')),
      () => prompt!.removePromptArgument(prompt!.promptArguments[0]!),
      () => (leaf!.description = 'changed'),
      () => (prompt!.promptArguments[0]!.required = false),
      () => (model.resources[0]!.uri = 'wiki://other'),
      () => (model.resources[0]!.annotations!.priority = 0),
      () => (wiki.icons![0]!.src = 'changed'),
      () => prompt!.meta!.set('a', 2),
    ];
    expect(changes.map(codeOf)).toEqual(changes.map(() => 'TW_MODEL_SEALED'));
  });

  test('is frozen in its lists and schemas', () => {
    const [, admin] = groups();
    const schema = admin.childTools[0]?.inputSchema;
    expect([model, model.groups, model.prompts, admin.childTools, schema].every(Object.isFrozen)).toBe(true);
    expect(() => (model.prompts as unknown[]).pop()).toThrow(TypeError);
  });
});
