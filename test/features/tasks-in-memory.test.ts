import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from '@jest/globals';
import { createTestApplication } from 'toolwright/testing';
import { Gates, JobsModule } from '../support/jobs-module.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { envelope, message2026 } from '../support/client-of-2026.ts';
import { filledIn, TASKS } from '../support/task-requests.ts';

type Result = Readonly<Record<string, unknown>>;

test('tasks of 2026-07-28 work without HTTP, where there are no headers', async () => {
  const app = await createTestApplication(JobsModule, { logger: new MemoryLogger() });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (result: Result) => void>();
  near.onmessage = (message) => {
    const { id, result } = message as { readonly id?: unknown; readonly result?: Result };
    waiting.get(id)?.(result ?? {});
  };
  await app.app.connect(far);
  await near.start();
  const _meta = envelope({ elicitation: {}, extensions: { [TASKS]: {} } });
  const send = (method: string, params: Result): Promise<Result> => {
    const id = waiting.size + 1;
    const answered = new Promise<Result>((resolve) => waiting.set(id, resolve));
    return near.send(message2026(method, { ...params, _meta }, id) as never).then(() => answered);
  };
  const until = async (taskId: unknown, status: string): Promise<Result> => {
    for (;;) {
      const task = await send('tasks/get', { taskId });
      if (task['status'] === status) return task;
    }
  };

  const { taskId } = await send('tools/call', { name: 'jobs_slow', arguments: { label: 'a' } });
  expect(await send('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  app.get(Gates).open('a');
  expect(await until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'done a' }] } });

  const asking = await send('tools/call', { name: 'jobs_remove', arguments: { label: 'b' } });
  const { inputRequests } = await until(asking['taskId'], 'input_required');
  const [key = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [key]: filledIn({ confirm: true }) };
  await send('tasks/update', { taskId: asking['taskId'], inputResponses });
  expect(await until(asking['taskId'], 'completed')).toMatchObject({
    result: { content: [{ text: 'deleted b' }] },
  });
  await near.close();
  await app.close();
});
