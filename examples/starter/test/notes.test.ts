import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { AppModule } from '../src/server.ts';

let app: TestApplication;
beforeEach(async () => {
  app = await createTestApplication(AppModule);
});
afterEach(() => app.close());

/** Calls an action of the tool as a client does; a result is one text. */
async function notes(action: string, fields: object = {}) {
  const client = await app.client();
  const { content, isError = false } = await client.callTool({
    name: 'notes',
    arguments: { action, ...fields },
  });
  const [{ text }] = content as [{ readonly text: string }];
  return { text, isError };
}

test('lists what was added', async () => {
  await notes('add', { text: 'Buy milk' });
  const { text } = await notes('list');
  assert.deepEqual(JSON.parse(text), [{ id: 1, text: 'Buy milk' }]);
});

test('removes a note once', async () => {
  await notes('add', { text: 'Buy milk' });
  assert.deepEqual(await notes('remove', { id: 1 }), { text: 'Note 1 is removed', isError: false });
  const again = await notes('remove', { id: 1 });
  assert.equal(again.isError, true);
  assert.match(again.text, /There is no note 1/);
});

test('says how to correct a wrong call', async () => {
  const { text, isError } = await notes('add', { txt: 'Buy milk' });
  assert.equal(isError, true);
  assert.match(text, /did you mean text\?/);
});
