import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import {
  Clock,
  log,
  Roles,
  TaskStore,
  TaskTools,
  trace,
  WorkModule,
  WorkTools,
} from '../support/work-module.ts';

describe.each(CONNECTIONS)('$name', (kind) => {
  let work: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    work = await createConnectedApplication(kind, WorkModule, { middleware: [log('global')] });
    client = await work.client();
  });
  afterAll(() => work.close());

  const call = async (args: Record<string, unknown>): Promise<CallToolResult> =>
    (await client.callTool({ name: 'work', arguments: args })) as CallToolResult;

  describe('a tree of groups', () => {
    test('is one tool whose keys are the paths below it', async () => {
      const [tool, ...others] = (await client.listTools()).tools;
      expect(others).toEqual([]);
      expect(tool?.inputSchema.properties?.['action']).toEqual({
        type: 'string',
        enum: ['tasks.list', 'tasks.create', 'tasks.delete', 'tasks.restore', 'archive.old.restore'],
        description: 'The action to run, written group.action',
      });
      expect(tool?.inputSchema.required).toEqual(['action', 'workspaceId']);
      expect(tool?.annotations).toEqual({
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      });
    });

    test('says for each field which action needs it', async () => {
      const [tool] = (await client.listTools()).tools;
      expect(tool?.inputSchema.properties?.['workspaceId']).toHaveProperty(
        'description',
        'Workspace to work in. (always required)',
      );
      expect(tool?.inputSchema.properties?.['title']).toEqual({
        type: 'string',
        minLength: 1,
        description: 'Required for: tasks.create',
      });
      expect(tool?.inputSchema.properties?.['priority']).toMatchObject({
        type: 'integer',
        minimum: 1,
        maximum: 5,
        default: 3,
      });
      expect(tool?.inputSchema.properties?.['id']).toHaveProperty(
        'description',
        'Required for: tasks.delete, tasks.restore, archive.old.restore',
      );
    });

    test('is described with its modules, groups and workflow', async () => {
      const [tool] = (await client.listTools()).tools;
      expect(tool?.description?.split('\n').slice(0, 5)).toEqual([
        'Manage a workspace. Modules: tasks (list,create,delete,restore) | archive.old (restore)',
        '',
        'Groups:',
        "- 'tasks': Tasks of a workspace",
        "- 'archive': What was done before",
      ]);
      expect(tool?.description).toContain(
        "- 'tasks.delete': Delete a task for good. Requires: id ⚠️ DESTRUCTIVE",
      );
    });
  });

  describe('a call', () => {
    test('hands each parameter what its type or decorator says', async () => {
      const result = await call({ action: 'tasks.create', workspaceId: 'w', title: 'write' });
      expect(JSON.parse(textOf(result))).toEqual({
        input: { title: 'write', priority: 3, workspaceId: 'w', region: 'eu' },
        isInput: true,
        workspace: 'w',
        region: 'eu',
        now: 'noon',
        roles: ['member'],
        hasContext: true,
      });
      expect(textOf(await call({ action: 'tasks.list', workspaceId: 'w' }))).toContain('- write');
    });

    test('runs global, tree and action middleware from outer to inner, the upper decorator outside', async () => {
      trace.length = 0;
      await call({ action: 'tasks.create', workspaceId: 'w', title: 'x' });
      expect(trace.map((entry) => entry.split(' ')[0])).toEqual([
        'global',
        'root',
        'upper',
        'inner',
        'action',
      ]);
    });

    test('reads user decorators of the method over those of the parent group', async () => {
      expect(textOf(await call({ action: 'tasks.delete', workspaceId: 'w', id: '1' }))).toBe('w/1 by admin');
    });

    test('of an action in several groups takes each group its own middleware and common fields', async () => {
      trace.length = 0;
      expect(textOf(await call({ action: 'tasks.restore', workspaceId: 'w', id: '1', region: 'us' }))).toBe(
        'restored 1',
      );
      expect(trace).toEqual([
        'global tasks.restore',
        'root tasks.restore',
        'upper tasks.restore',
        'inner tasks.restore',
      ]);
      trace.length = 0;
      expect(textOf(await call({ action: 'archive.old.restore', workspaceId: 'w', id: '1' }))).toBe(
        'restored 1',
      );
      expect(trace).toEqual(['global archive.old.restore', 'root archive.old.restore']);
      const refused = await call({ action: 'archive.old.restore', workspaceId: 'w', id: '1', region: 'us' });
      expect(textOf(refused)).toMatch(/region: unknown field/);
    });

    test('with wrong input says everything that a model needs to repair it', async () => {
      const result = await call({
        action: 'tasks.create',
        workspaceId: 7,
        title: '',
        priority: 9,
        titel: 'x',
      });
      const { code, issues } = factsOf(result) as {
        code: string;
        issues: { path: string; suggestion?: string }[];
      };
      expect(code).toBe('VALIDATION_FAILED');
      expect(issues.map(({ path }) => path)).toEqual(['workspaceId', 'title', 'priority', 'titel']);
      expect(issues[3]?.suggestion).toBe('title');
    });
  });
});

describe('the application', () => {
  let work: TestApplication;
  beforeAll(async () => {
    work = await createTestApplication(WorkModule);
  });
  afterAll(() => work.close());

  test('lists the uses of a user decorator', () => {
    expect(work.app.records(Roles)).toEqual([
      { decorator: Roles, target: WorkTools, member: undefined, value: ['member'] },
      { decorator: Roles, target: TaskTools, member: 'delete', value: ['admin'] },
    ]);
  });

  test('gives singletons by their token', () => {
    expect(work.get(TaskStore)).toBeInstanceOf(TaskStore);
    expect(work.get('PREFIX')).toBe('- ');
  });

  test('freezes its definitions deeply, and lists the same ones at each start', async () => {
    const again = await createTestApplication(WorkModule);
    expect(JSON.stringify(again.app.definitions)).toBe(JSON.stringify(work.app.definitions));
    expect(Object.isFrozen(work.app.definitions[0]?.inputSchema.properties?.['id'])).toBe(true);
    await again.close();
  });

  test('hides what its filter excludes, from the list and from calls', async () => {
    const safe = await createTestApplication(WorkModule, { exclude: ['danger'] });
    const [tool] = await safe.listTools();
    expect(tool?.inputSchema.properties?.['action']?.enum).not.toContain('tasks.delete');
    expect(tool?.annotations.destructiveHint).toBe(false);
    const result = await safe.call('work', { action: 'tasks.delete', workspaceId: 'w', id: '1' });
    expect(textOf(result)).toMatch(/^Unknown action "tasks\.delete"/);
    await safe.close();
  });

  test('serves every action as a tool of its own with flat exposition, by the same handlers', async () => {
    const flat = await createTestApplication(WorkModule, { expose: 'flat' });
    const tools = await flat.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'work_tasks_list',
      'work_tasks_create',
      'work_tasks_delete',
      'work_tasks_restore',
      'work_archive_old_restore',
    ]);
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(tools[1]?.inputSchema).toMatchObject({ required: ['workspaceId', 'title'] });
    trace.length = 0;
    const result = await flat.call('work_tasks_delete', { workspaceId: 'w', id: '1' });
    expect(textOf(result)).toBe('w/1 by admin');
    expect(trace).toEqual(['root tasks.delete', 'upper tasks.delete', 'inner tasks.delete']);
    await flat.close();
  });

  test('replaces providers by overrides', async () => {
    const fixed = await createTestApplication(WorkModule, {
      overrides: [{ provide: Clock, useValue: { now: () => 'midnight' } }],
    });
    const result = await fixed.call('work', { action: 'tasks.create', workspaceId: 'w', title: 'x' });
    expect(JSON.parse(textOf(result))).toMatchObject({ now: 'midnight' });
    await fixed.close();
  });

  test('refuses calls after it was closed, and closes once', async () => {
    const app = await createTestApplication(WorkModule);
    await Promise.all([app.close(), app.close()]);
    await expect(app.call('work', { action: 'tasks.list' })).rejects.toThrow(/TW_APPLICATION_CLOSED/);
  });
});
