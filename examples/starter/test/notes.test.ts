import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestApplication, json, text, type TestApplication } from 'toolwright/testing';
import { AppModule } from '../src/server.ts';

let app: TestApplication;
beforeEach(async () => {
  app = await createTestApplication(AppModule);
});
afterEach(() => app.close());

test('lists what was added', async () => {
  await app.call('notes.add', { text: 'Buy milk' });
  assert.deepEqual(json(await app.call('notes.list')), [{ id: 1, text: 'Buy milk' }]);
});

test('removes a note once', async () => {
  await app.call('notes.add', { text: 'Buy milk' });
  assert.equal(text(await app.call('notes.remove', { id: 1 })), 'Note 1 is removed');
  const again = await app.call('notes.remove', { id: 1 });
  assert.equal(again.isError, true);
  assert.match(text(again), /There is no note 1/);
});

test('says how to correct a wrong call', async () => {
  const wrong = await app.call('notes.add', { txt: 'Buy milk' });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /did you mean text\?/);
});
