import { expect, test } from '@jest/globals';
import { ANN, vault, type Seen } from '../support/audited-vault.ts';

const SOMEBODY = { issuer: 'https://issuer.example', subject: 'ann' };

test('forgetting somebody leaves one record, whatever is recorded, which does not say who it was', async () => {
  const { app, store } = await vault({ kinds: ['destructive'] });
  await app.forget(SOMEBODY);
  const records = store.lines.map((line) => JSON.parse(line) as Seen);
  expect(records).toMatchObject([
    { type: 'start' },
    {
      ...{ type: 'change', change: 'forgotten' },
      details: { subject: expect.stringMatching(/^[0-9a-f]{64}$/), failed: [], removed: { tasks: 0 } },
    },
  ]);
  expect(store.lines.join('')).not.toMatch(/(?<![\w-])ann(?![\w-])/);
});

test('forgetting somebody fails where it cannot be recorded, and is recorded when it is called again', async () => {
  const { app, store, connect } = await vault();
  const client = await connect('2026', ANN);
  await client.callTool({ name: 'vault', arguments: { action: 'once', id: '1', idempotencyKey: 'key' } });
  const append = store.append.bind(store);
  store.append = () => Promise.reject(new Error('The disk is full'));
  await expect(app.forget(SOMEBODY)).rejects.toMatchObject({
    code: 'TW_FORGET_INCOMPLETE',
    what: expect.stringContaining('these stores failed: audit'),
  });
  store.append = append;
  // What was removed is gone already
  expect((await app.forget(SOMEBODY)).removed).toMatchObject({ idempotency: 0 });
  expect(store.lines.filter((line) => line.includes('"forgotten"'))).toHaveLength(1);
});
