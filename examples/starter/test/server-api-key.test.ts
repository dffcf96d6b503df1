import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { HttpServing } from 'toolwright';
import { createApiKey } from 'toolwright/auth';
import { keys } from '../src/api-keys.ts';
import createApplication from '../src/server-api-key.ts';

let serving: HttpServing;
beforeEach(async () => {
  const app = await createApplication();
  serving = await app.listen({ port: 0, signals: false });
});
afterEach(() => serving.close());

/** Says hello as a client does. @returns the status of the answer */
async function hello(key?: string): Promise<number> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const response = await fetch(serving.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key === undefined ? {} : { 'x-api-key': key }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.text();
  return response.status;
}

test('lets in who has a key', async () => {
  const { key, hash } = createApiKey();
  keys.set(hash, { clientId: 'test' });
  assert.equal(await hello(key), 200);
  keys.delete(hash);
  assert.equal(await hello(key), 401);
});

test('refuses who has none, or another one', async () => {
  assert.equal(await hello(), 401);
  assert.equal(await hello(createApiKey().key), 401);
});
