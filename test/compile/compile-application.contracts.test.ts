import { describe, expect, test } from '@jest/globals';
import {
  Action,
  type ApplicationError,
  createTool,
  Input,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolGroup,
  ToolRegistry,
  type StandardSchema,
} from 'toolwright';
import { bindApplication, prepareApplication } from '../../src/compile/compile-application.ts';
import { STAGES } from '../../src/runtime/stages.ts';
import { ProblemList } from '../../src/errors/problem-list.ts';
import type { ScannedApplication } from '../../src/scanner/scan-application.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { fakeResolver, scannedPrompt, scannedResource } from '../support/primitives.ts';
import { textOf } from '../support/text-of.ts';

/** A schema that counts how often it is asked for its JSON Schema. */
function counted(name: string, type: 'string' | 'integer' = 'string') {
  const reads = { count: 0 };
  const read = () => {
    reads.count += 1;
    return { type: 'object', properties: { [name]: { type } }, required: [name] };
  };
  const schema: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: read, output: read },
    },
  } as never;
  return { schema, reads };
}

const logger = new MemoryLogger();

async function create(type: new () => object, options: object = {}): Promise<McpApplication> {
  @Module({ controllers: [type] })
  class RootModule {}
  return McpApplication.create(RootModule, { logger, ...options });
}

test('A start makes the contracts of actions and resources once', async () => {
  const [action, resource] = [counted('title'), counted('id')];

  @ToolGroup('notes')
  class Notes {
    @Action({ input: action.schema }) add(): void {}
    @Action({ input: action.schema }) change(): void {}
    @Resource('notes://{id}', { input: resource.schema }) note(@Input() input: object): string {
      return JSON.stringify(input);
    }
  }
  await create(Notes);
  expect([action, resource].map(({ reads }) => reads.count)).toEqual([1, 1]);
});

test('What is prepared is bound without making a contract', () => {
  const [prompt, resource] = [counted('language'), counted('id')];
  const scanned: ScannedApplication = {
    ...{ modules: [], providers: [], records: [], warnings: [], tools: [] },
    prompts: [scannedPrompt('review', { input: prompt.schema })],
    resources: [scannedResource('note', 'notes://{id}', { input: resource.schema })],
  };
  const problems = new ProblemList();
  const prepared = prepareApplication(scanned, problems);
  expect([prompt, resource].map(({ reads }) => reads.count)).toEqual([1, 1]);
  const bound = bindApplication(prepared, fakeResolver(), { features: [], stages: STAGES.attempt });
  expect(bound.prompts[0]?.definition.arguments).toMatchObject([{ name: 'language' }]);
  expect([prompt, resource].map(({ reads }) => reads.count)).toEqual([1, 1]);
});

describe('a filter', () => {
  const shared = counted('title');

  @ToolGroup('notes')
  class Notes {
    @Action({ input: shared.schema, tags: ['read'] }) find(input: object): string {
      return JSON.stringify(input);
    }
    @Action({ input: shared.schema, tags: ['write'] }) change(): void {}
  }

  test('that is used for the first time makes no contract', async () => {
    const { registry } = await create(Notes);
    const atStart = shared.reads.count;
    const filter = { tags: ['read'] };
    const [definition] = registry.getTools(filter);
    expect(definition?.inputSchema.properties?.['action']?.enum).toEqual(['find']);
    const result = await registry.routeCall('notes', { action: 'find', title: 'a' }, undefined, { filter });
    expect(textOf(result)).toBe('{"title":"a"}');
    expect(shared.reads.count).toBe(atStart);
  });

  test('of the application is compiled at the start, and switching an action off makes no contract', async () => {
    const app = await create(Notes, { exclude: ['write'] });
    const atStart = shared.reads.count;
    expect(app.definitions[0]?.inputSchema.properties?.['action']?.enum).toEqual(['find']);
    app.registry.disable('notes', 'find');
    expect(app.definitions).toEqual([]);
    app.registry.enable('notes', 'find');
    expect(app.definitions).toHaveLength(1);
    expect(shared.reads.count).toBe(atStart);
  });

  test('that leaves the same actions as another gives the same tools', () => {
    const handler = (): string => 'done';
    const tool = createTool('notes')
      .action({ name: 'find', tags: ['a', 'b'], handler })
      .action({ name: 'change', handler });
    const registry = new ToolRegistry().register(tool);
    expect(registry.getTools({ tags: ['a'] })[0]).toBe(registry.getTools({ tags: ['b'] })[0]);
  });
});

test('65 filters that take turns are compiled once each', () => {
  const tool = createTool('notes').action({ name: 'all', handler: () => 'done' });
  for (let number = 0; number < 65; number += 1) {
    tool.action({ name: `note${String(number)}`, tags: [`tag${String(number)}`], handler: () => 'done' });
  }
  const registry = new ToolRegistry().register(tool);
  const round = () =>
    Array.from({ length: 65 }, (_, number) => registry.getTools({ tags: [`tag${String(number)}`] })[0]);
  const first = round();
  expect(first[64]?.inputSchema.properties?.['action']?.enum).toEqual(['note64']);
  const second = round();
  expect(second.every((definition, index) => definition === first[index])).toBe(true);
});

test('What the filter of an application makes of its tools is reported, in its own words', async () => {
  const either = { type: 'object', properties: { id: { type: ['string', 'object'] } } };

  @ToolGroup('items')
  class Items {
    @Action({ input: { type: 'object', properties: { id: { type: 'string' } } } }) one(): void {}
    @Action({ input: either, tags: ['wide'] }) both(): void {}
    @Action({ input: { type: 'object', properties: { id: { type: 'object' } } } }) two(): void {}
  }
  const notes = async (options?: object) =>
    (await create(Items, options)).advice().filter(({ code }) => code === 'TW_NOTE_FIELD_TYPES');
  expect(await notes()).toEqual([]);
  expect(await notes({ exclude: ['wide'] })).toMatchObject([{ where: 'tool "items"' }]);
});

test('What is wrong with names and URIs is reported with all other problems', async () => {
  const wrong = { type: 'string' };

  @ToolGroup({ name: 5 as never })
  class Mistaken {
    @Action({ input: wrong }) one(): void {}
    @Prompt({ name: '', input: wrong }) two(@Input() _input: object): string {
      return '';
    }
    @Resource('notes://{id', { input: wrong }) three(@Input() _input: object): string {
      return '';
    }
  }
  const { problems } = (await create(Mistaken).catch((error: unknown) => error)) as ApplicationError;
  expect(problems.map(({ code }) => code).sort()).toEqual([
    'TW_COMPILE_SCHEMA_ROOT',
    'TW_COMPILE_SCHEMA_ROOT',
    'TW_COMPILE_SCHEMA_ROOT',
    'TW_SCAN_NAME_INVALID',
    'TW_SCAN_OPTION_VALUE',
    'TW_SCAN_TEMPLATE_INVALID',
  ]);
});
