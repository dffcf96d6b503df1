import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { HttpServing } from 'toolwright';
import createApplication from '../src/server-sign-in.ts';

let serving: HttpServing;
beforeEach(async () => {
  const app = await createApplication();
  serving = await app.listen({ port: 0, signals: false });
});
afterEach(() => serving.close());

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'notes', arguments: { action: 'list' } },
};

test('says where to sign in, and does nothing for who has not', async () => {
  for (const authorization of [undefined, 'Bearer made-up']) {
    const answer = await fetch(serving.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: JSON.stringify(call),
    });
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate') ?? '', /resource_metadata="[^"]+"/);
  }
});

test('is the place where clients sign people in', async () => {
  const { origin } = new URL(serving.url);
  const answer = await fetch(`${origin}/.well-known/oauth-authorization-server`);
  const found = (await answer.json()) as { readonly authorization_endpoint: string };
  assert.match(found.authorization_endpoint, /\/authorize$/);
});
