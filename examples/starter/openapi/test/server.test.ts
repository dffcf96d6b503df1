import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApplication, json, text, type TestApplication } from 'toolwright/testing';
import { startApi } from './api.ts';
import { createModule } from '../src/server.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let app: TestApplication;
before(async () => {
  api = await startApi(0);
  app = await createTestApplication(await createModule(api.url));
});
after(async () => {
  await app.close();
  api.server.close();
});

test('lists what was added', async () => {
  await app.call('notes.add', { text: 'Buy milk' });
  assert.deepEqual(json(await app.call('notes.list')), [{ id: 1, text: 'Buy milk' }]);
});

test('says what the API refuses', async () => {
  const refused = await app.call('notes.remove', { id: 7 });
  assert.equal(refused.isError, true);
  assert.match(text(refused), /There is no note 7/);
});

test('says how to correct a wrong call, and sends nothing', async () => {
  const wrong = await app.call('notes.add', { txt: 'Buy milk' });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /did you mean text\?/);
});
