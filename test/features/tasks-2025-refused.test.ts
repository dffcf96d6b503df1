import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { connectedClient, refusalOf, sendRaw } from '../support/attached-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { Gates, JobsModule } from '../support/jobs-module.ts';
import { beginTask } from '../support/begin-task.ts';

describe('tasks of 2025-11-25 that are refused or not agreed on', () => {
  let app: TestApplication;
  let client: Client;

  beforeEach(async () => {
    app = await createTestApplication(JobsModule, { logger: new MemoryLogger(), drainTimeout: 0 });
    client = await app.client();
  });
  afterEach(() => app.close());

  test('wants tasks where they are required, and only where they are possible', async () => {
    const heavy = { name: 'jobs_heavy', arguments: { label: 'j' } };
    expect(await refusalOf(client, 'tools/call', heavy)).toMatchObject({
      code: -32601,
      message: expect.stringContaining('as a task'),
    });
    const greet = { name: 'jobs_greet', arguments: { name: 'Ada' }, task: {} };
    expect((await refusalOf(client, 'tools/call', greet)).code).toBe(-32601);
    app.get(Gates).open('j');
    const result = await client.callTool({ name: 'jobs_slow', arguments: { label: 'j' } });
    expect(result).toMatchObject({ content: [{ text: 'done j' }] });
  });

  test.each([
    ['tasks/get', {}],
    ['tasks/get', { taskId: 7 }],
    ['tasks/result', { taskId: 'nobody' }],
    ['tasks/cancel', { taskId: null }],
    ['tasks/list', { cursor: 'nonsense' }],
    ['tasks/list', { cursor: 7 }],
    ['tasks/list', { cursor: Buffer.from('[1]').toString('base64url') }],
    ['tasks/list', { cursor: Buffer.from('["a",1]').toString('base64url') }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: 7 }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: [] }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: { ttl: 0 } }],
    ['tools/call', { name: 'jobs_slow', arguments: { label: 'k' }, task: { ttl: 'long' } }],
  ])('refuses %s with %j', async (method, params) => {
    expect((await refusalOf(client, method, params)).code).toBe(-32602);
  });

  test('has no method of the era after', async () => {
    const { taskId } = await beginTask(client, 'jobs_heavy', { label: 'l' });
    expect((await refusalOf(client, 'tasks/update', { taskId, inputResponses: {} })).code).toBe(-32601);
  });

  test('serves tasks on a server of the SDK, and calls on one that was connected before', async () => {
    const server = new McpServer({ name: 'own', version: '1.0.0' });
    app.app.attach(server);
    const attached = await connectedClient(server);
    const { taskId } = await beginTask(attached, 'jobs_heavy', { label: 'm' });
    expect(await sendRaw(attached, 'tasks/result', { taskId })).toMatchObject({
      content: [{ text: 'lifted m' }],
    });

    const early = new McpServer({ name: 'own', version: '1.0.0' }, { capabilities: { tools: {} } });
    const late = await connectedClient(early);
    app.app.attach(early);
    app.get(Gates).open('n');
    const result = await late.callTool({ name: 'jobs_slow', arguments: { label: 'n' } });
    expect(result).toMatchObject({ content: [{ text: 'done n' }] });
  });
});
