import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import type { McpApplication } from 'toolwright';
import { json, text } from 'toolwright/testing';
import { createNest } from '../src/app.ts';
import { expose } from '../src/mcp.ts';

let nest: INestApplication;
let app: McpApplication;
before(async () => {
  nest = await createNest();
  app = await expose(nest);
});
after(() => nest.close());

test('lists what was added', async () => {
  await app.call('notes', { action: 'add', text: 'Buy milk' });
  assert.deepEqual(json(await app.call('notes', { action: 'list' })), [{ id: 1, text: 'Buy milk' }]);
});

test('says what a route refuses', async () => {
  const refused = await app.call('notes', { action: 'remove', id: 7 });
  assert.equal(refused.isError, true);
  assert.match(text(refused), /There is no note 7/);
});

test('says how to correct a wrong call, and sends nothing', async () => {
  const wrong = await app.call('notes', { action: 'add', txt: 'Buy milk' });
  assert.equal(wrong.isError, true);
  assert.match(text(wrong), /did you mean text\?/);
});
