import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { serveTransport } from '../../src/server/sdk-v1/serve-transport.ts';
import { echo, fakeSurface, latch } from '../fixtures/fake-surface.ts';

test('refuses new calls while it stops, and lets running ones finish', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const started = latch();
  const finish = latch();
  const wait = async () => {
    started.open();
    await finish.promise;
    return 'done';
  };
  const serving = await serveTransport(fakeSurface({ wait, echo }), far);
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(near);
  const running = client.callTool({ name: 'wait' });
  await started.promise;
  const stopped = serving.stop();
  const refusal = await client.callTool({ name: 'echo' }).then((result) => JSON.stringify(result), String);
  expect(refusal).toContain('shutting down');
  finish.open();
  expect(await running).toMatchObject({ content: [{ text: 'done' }] });
  await stopped;
  await client.close();
});
