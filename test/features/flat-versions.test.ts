import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf, textOf } from '../support/text-of.ts';
import { TasksModule } from '../support/versioned-tasks.ts';

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
