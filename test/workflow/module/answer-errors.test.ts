import { expect, test } from '@jest/globals';
import { createTestApplication } from 'toolwright/testing';
import { InMemoryRunStore, WorkflowError } from 'toolwright/workflow';
import { eventually } from '../../support/eventually.ts';
import { MemoryLogger } from '../../support/fake-application.ts';
import { applicationWith } from './workflows.ts';

const broken = new TypeError('The disk is gone');

class BrokenStore extends InMemoryRunStore {
  override getSummary(): Promise<never> {
    return Promise.reject(broken);
  }

  override findExpired(): Promise<never> {
    return Promise.reject(broken);
  }
}

test('an unexpected failure of a tool is one record', async () => {
  const logger = new MemoryLogger();
  const app = await createTestApplication(applicationWith({ store: new BrokenStore() }), { logger });
  const client = await app.connect();
  const result = await client.callTool({ name: 'workflow_status', arguments: { runId: 'any' } });
  expect(result.isError).toBe(true);
  expect(logger.records).toEqual([expect.objectContaining({ event: 'call.failed', error: broken })]);
  await app.close();
});

test('a look for expired runs that fails is one record, each time', async () => {
  const logger = new MemoryLogger();
  const options = { store: new BrokenStore(), sweepInterval: 1 };
  const app = await createTestApplication(applicationWith(options), { logger });
  const looks = () => logger.records.filter(({ event }) => event === 'workflow.failed');
  await eventually(() => looks().length > 1);
  await app.close();
  expect(logger.records).toEqual(looks());
  expect(looks()[0]).toMatchObject({ level: 'error', operation: 'run.expire', error: broken });
});

test('a look for expired runs that the store refuses is one record, too', async () => {
  class BusyStore extends InMemoryRunStore {
    override findExpired(): Promise<never> {
      return Promise.reject(new WorkflowError('STORAGE_ERROR', { where: 'disk', message: 'It is busy.' }));
    }
  }
  const logger = new MemoryLogger();
  const options = { store: new BusyStore(), sweepInterval: 1 };
  const app = await createTestApplication(applicationWith(options), { logger });
  await eventually(() => logger.records.length > 1);
  await app.close();
  for (const record of logger.records)
    expect(record).toMatchObject({ event: 'workflow.refused', code: 'STORAGE_ERROR' });
});
