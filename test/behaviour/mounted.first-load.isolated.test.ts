import { expect, jest, test } from '@jest/globals';
import { McpApplication, Module } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';

const MODULE = '../../src/transports/fetch/create-fetch-handler.ts';

interface FetchModule {
  readonly createFetchHandler: (...given: unknown[]) => unknown;
}

@Module({})
class EmptyModule {}

const request = (): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });

test('an application whose door for fetch did not load once loads it for the next request', async () => {
  const actual = (await import(MODULE)) as FetchModule;
  let attempts = 0;
  jest.unstable_mockModule(MODULE, () => ({
    createFetchHandler: (...given: unknown[]) => {
      attempts += 1;
      if (attempts === 1) throw new Error('the disk is busy');
      return actual.createFetchHandler(...given);
    },
  }));
  const logger = new MemoryLogger();
  const app = await McpApplication.create(EmptyModule, { logger });
  await expect(app.fetch(request())).rejects.toThrow('the disk is busy');
  expect(await (await app.fetch(request())).json()).toMatchObject({ id: 1, result: {} });
  await app.close();
  expect(attempts).toBe(2);
  expect(logger.records.filter(({ event }) => event === 'shutdown.failed')).toEqual([]);
});
