import { expect, test, afterEach, beforeEach, describe } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Input, McpApplication, Module, ToolGroup, type ObjectSchema } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { TasksModule } from '../support/versioned-tasks.ts';

const CONTACT: ObjectSchema = {
  type: 'object',
  properties: {
    by: { type: 'string', enum: ['phone', 'mail'] },
    phone: { $ref: '#/$defs/number' },
    mail: { type: 'string' },
  },
  $defs: { number: { $anchor: 'number', type: 'string' } },
  if: { properties: { by: { type: 'string', const: 'phone' } } },
  then: { required: ['phone'] },
  additionalProperties: false,
};

class Person {
  @IsString() person!: string;
}

@ToolGroup({ name: 'contacts', prefix: '' })
class ContactTools {
  @Action({ input: CONTACT }) add(@Input() contact: Record<string, unknown>): string {
    return JSON.stringify(contact);
  }
}

@ToolGroup({ name: 'people', prefix: 'hr', common: Person })
class PeopleTools {
  @Action({ name: 'hire_now', input: CONTACT }) hire(_person: Person): void {}
}

@ToolGroup('plants')
class PlantTools {
  @Action() grow(): void {}
}

@Module({ controllers: [ContactTools, PeopleTools, PlantTools] })
class OfficeModule {}

async function toolsOf(expose: 'grouped' | 'flat') {
  const app = await McpApplication.create(OfficeModule, { expose });
  const { definitions } = app;
  const result = await app.call('add', { by: 'mail', phone: '1' });
  await app.close();
  return { definitions, result };
}

test('A prefix replaces the group in the names of flat tools, or leaves it out', async () => {
  expect((await toolsOf('flat')).definitions.map(({ name }) => name)).toEqual([
    'add',
    'hr_hire_now',
    'plants_grow',
  ]);
  expect((await toolsOf('grouped')).definitions.map(({ name }) => name)).toEqual([
    'contacts',
    'people',
    'plants',
  ]);
});

test('A flat tool is called by the name that it is listed with', async () => {
  expect((await toolsOf('flat')).result.content).toEqual([
    { type: 'text', text: '{"by":"mail","phone":"1"}' },
  ]);
});

test('The JSON Schema of a flat tool is listed with every keyword that was written', async () => {
  const [add] = (await toolsOf('flat')).definitions;
  expect(add?.inputSchema).toEqual(CONTACT);
});

const EITHER: ObjectSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, mail: { type: 'string' } },
  anyOf: [{ required: ['id'] }, { required: ['mail'] }],
};

test('A union at the root is listed as plain fields, said in words, and checked as it was written', async () => {
  @ToolGroup({ name: 'find', prefix: '', expose: 'flat' })
  class FindTools {
    @Action({ description: 'Find one', input: EITHER }) find(@Input() by: Record<string, unknown>): string {
      return JSON.stringify(by);
    }
  }
  @Module({ controllers: [FindTools] })
  class FindModule {}
  const app = await McpApplication.create(FindModule, { logger: () => undefined });
  expect(app.definitions[0]).toMatchObject({
    description: 'Find one. Requires: id or mail',
    inputSchema: { type: 'object', properties: EITHER.properties, required: [] },
  });
  expect(app.definitions[0]?.inputSchema).not.toHaveProperty('anyOf');
  expect((await app.call('find', {})).isError).toBe(true);
  expect((await app.call('find', { mail: 'm' })).isError).not.toBe(true);
  await app.close();
});

test('A schema that names the current dialect is listed as it stands', async () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  @ToolGroup({ name: 'find', prefix: '', expose: 'flat' })
  class FindTools {
    @Action({ description: 'Find one', input: { $schema, ...EITHER } }) find(
      @Input() by: Record<string, unknown>,
    ): string {
      return JSON.stringify(by);
    }
  }
  @Module({ controllers: [FindTools] })
  class FindModule {}
  const app = await McpApplication.create(FindModule, { logger: () => undefined });
  expect(app.definitions[0]?.inputSchema).toMatchObject({ $schema, ...EITHER });
  expect((await app.call('find', {})).isError).toBe(true);
  await app.close();
});

test('Together with common fields it is flattened, as there is no schema that was written for both', async () => {
  const { inputSchema } = (await toolsOf('flat')).definitions[1] ?? {};
  expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['person', 'by', 'phone', 'mail']);
  expect(inputSchema?.['if']).toBeUndefined();
  expect(inputSchema?.required).toEqual(['person']);
});

const VERSIONS = 'toolwright/versions';

describe('versions of actions that are tools of their own', () => {
  let app: TestApplication;

  beforeEach(async () => {
    app = await createTestApplication(TasksModule, { expose: 'flat', logger: new MemoryLogger() });
  });
  afterEach(() => app.close());

  test('have their major version in their names, but for the listed one', async () => {
    const tools = await app.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'tasks_create_v1',
      'tasks_create',
      'tasks_create_v3',
      'tasks_list',
      'tasks_dump',
      'tasks_refuse',
    ]);
    expect(tools.map(({ description }) => description)).toEqual([
      'Old way. Deprecated since 1.5.0, gone in 3.0.0; use tasks_create',
      'New way',
      'Next way',
      'list',
      'dump. Deprecated since 1.2.0; use tasks_list',
      'refuse',
    ]);
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['title']);
  });

  test('run as they are called', async () => {
    const old = await app.call('tasks_create_v1', { title: 'a' });
    expect(textOf(old)).toBe('first a');
    expect(old._meta).toEqual({
      'toolwright/version': '1.0.0',
      'toolwright/deprecated': { since: '1.5.0', use: 'tasks_create', until: '3.0.0' },
    });
    expect(textOf(await app.call('tasks_create', { summary: 'a' }))).toBe('second a');
    expect(textOf(await app.call('tasks_create_v3', { summary: 'a' }))).toBe('third a');
  });

  test('can all be asked for under the plain name, whose hints are true of all of them', async () => {
    expect(textOf(await app.call('tasks_create', { title: 'a' }, { version: '^1' }))).toBe('first a');
    const [old, plain, next] = await app.listTools();
    expect(plain?.annotations).toMatchObject({ destructiveHint: true });
    expect(plain?._meta).toEqual({ [VERSIONS]: { create: ['3.0.0-beta.1', '2.0.0', '1.0.0'] } });
    expect([old, next].map((tool) => tool?.annotations.destructiveHint)).toEqual([true, false]);
    expect([old, plain, next].map((tool) => tool?.execution?.taskSupport)).toEqual([
      'optional',
      'optional',
      undefined,
    ]);
  });

  test('are one version under a name of their own, whatever a call asks for', async () => {
    const result = await app.call('tasks_create_v1', { title: 'a' }, { version: '^2' });
    expect(factsOf(result)).toMatchObject({ code: 'VERSION_UNAVAILABLE', availableVersions: ['1.0.0'] });
  });

  test('give the plain name to the newest one that a filter leaves', () => {
    const names = app.app.registry.getTools({ tags: ['old'] }).map(({ name }) => name);
    expect(names).toEqual(['tasks_create']);
  });
});
