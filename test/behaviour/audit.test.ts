import { describe, expect, test } from '@jest/globals';
import { Action, createTool, Module, Public, ToolGroup } from 'toolwright';
import { InMemoryAuditStore, verifyAudit } from 'toolwright/audit';
import { ANN, BOB, ran, vault, VaultModule, type Seen } from '../support/audited-vault.ts';
import { createAppWithCallers } from '../support/callers.ts';
import { message, send } from '../support/raw-http.ts';
import { factsOf, textOf } from '../support/text-of.ts';

describe.each(['2025', '2026'])('a client of %s', (era) => {
  test('leaves an attempt and an outcome of a destructive call, and nothing of others', async () => {
    const { store, connect, records } = await vault();
    const client = await connect(era, ANN);
    await client.callTool({ name: 'vault', arguments: { action: 'read', id: '1' } });
    await client.callTool({ name: 'vault', arguments: { action: 'write', id: '1' } });
    await client.callTool({ name: 'vault', arguments: { action: 'delete', id: 'a-secret-id' } });
    const [attempt, outcome, ...others] = records();
    expect(others).toEqual([]);
    const who = { issuer: 'https://issuer.example', clientId: 'desk', sub: 'ann', via: 'http' };
    const what = { tool: 'vault', action: 'delete', decision: 'allowed' };
    expect(attempt).toMatchObject({ type: 'attempt', ...who, ...what });
    expect(outcome).toMatchObject({
      type: 'outcome',
      ...who,
      ...what,
      outcome: 'done',
      attempt: attempt?.id,
    });
    expect(outcome?.duration).toEqual(expect.any(Number));
    expect(attempt?.argumentsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(outcome?.argumentsHash).toBe(attempt?.argumentsHash);
    expect(store.lines.join('')).not.toContain('a-secret-id');
    expect(await verifyAudit(store)).toMatchObject({ isSound: true });
  });

  test('that lacks a scope leaves a denial', async () => {
    const { connect, records } = await vault();
    const client = await connect(era, BOB);
    const call = client.callTool({ name: 'vault', arguments: { action: 'delete', id: '1' } });
    await expect(call).rejects.toThrow();
    expect(ran).toEqual([]);
    const denials = records().filter(({ decision }) => decision === 'denied');
    expect(denials.length).toBeGreaterThan(0);
    expect(denials[0]).toMatchObject({
      ...{ type: 'outcome', sub: 'bob', tool: 'vault', action: 'delete' },
      ...{ outcome: 'refused', errorCode: 'INSUFFICIENT_SCOPE' },
    });
    expect(records().some(({ type }) => type === 'attempt')).toBe(false);
  });

  test('leaves the code of a call that failed, and of one that never ran', async () => {
    const { connect, records } = await vault();
    const client = await connect(era, ANN);
    await client.callTool({ name: 'vault', arguments: { action: 'delete', id: 'broken' } });
    await client.callTool({ name: 'vault', arguments: { action: 'delete' } });
    expect(records().map(({ type, outcome, errorCode }) => [type, outcome, errorCode])).toEqual([
      ['attempt', undefined, undefined],
      ['outcome', 'failed', 'BROKEN'],
      ['outcome', 'refused', 'VALIDATION_FAILED'],
    ]);
  });

  test('that is asked leaves one attempt and one outcome, however many requests the call takes', async () => {
    const { connect, records } = await vault();
    const client = await connect(era, ANN);
    await client.callTool({ name: 'vault', arguments: { action: 'burn', id: '1' } });
    await client.callTool({ name: 'vault', arguments: { action: 'purge', id: '2' } });
    expect(ran).toEqual(['burn 1', 'purge 2 accept']);
    expect(records()).toMatchObject([
      { type: 'attempt', action: 'burn', consent: 'elicitation' },
      { type: 'outcome', action: 'burn', consent: 'elicitation', outcome: 'done' },
      { type: 'attempt', action: 'purge' },
      { type: 'outcome', action: 'purge', outcome: 'done', attempt: records()[2]?.id },
    ]);
  });

  test('whose person declines leaves that, and no attempt', async () => {
    const { connect, records } = await vault();
    const client = await connect(era, ANN);
    client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' as const }));
    await client.callTool({ name: 'vault', arguments: { action: 'burn', id: '1' } });
    expect(ran).toEqual([]);
    expect(records()).toMatchObject([
      { type: 'outcome', decision: 'declined', outcome: 'refused', errorCode: 'CONSENT_DECLINED' },
    ]);
  });

  test('gets a stored result, of which the audit says so', async () => {
    const { connect, records } = await vault();
    const client = await connect(era, ANN);
    const args = { action: 'once', id: '1', idempotencyKey: 'k' };
    for (let time = 0; time < 2; time += 1) await client.callTool({ name: 'vault', arguments: args });
    expect(ran).toEqual(['once 1']);
    expect(records().map(({ type, outcome }) => outcome ?? type)).toEqual(['attempt', 'done', 'replayed']);
  });

  test('is refused a destructive call that cannot be recorded, and makes others', async () => {
    const { store, logger, connect } = await vault({ kinds: ['destructive', 'write', 'denied'] });
    const client = await connect(era, ANN);
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('The disk is full'));
    const refused = await client.callTool({ name: 'vault', arguments: { action: 'delete', id: '1' } });
    expect(refused.isError).toBe(true);
    expect(factsOf(refused)).toMatchObject({ code: 'TRY_AGAIN_LATER', retryAfter: 5 });
    expect(textOf(refused as never)).toContain('cannot record this call');
    const written = await client.callTool({ name: 'vault', arguments: { action: 'write', id: '1' } });
    expect(written.isError).not.toBe(true);
    expect(ran).toEqual(['write 1']);
    expect(logger.records.filter(({ event }) => event === 'audit.store-failed')[0]).toMatchObject({
      level: 'error',
    });
    store.append = append;
    await client.callTool({ name: 'vault', arguments: { action: 'delete', id: '2' } });
    expect(ran).toEqual(['write 1', 'delete 2']);
    expect(await verifyAudit(store)).toMatchObject({ isSound: true });
    const starts = store.lines.map((line) => JSON.parse(line) as Seen).filter(({ type }) => type === 'start');
    // An attempt and an outcome of each of both calls
    expect(starts.at(-1)).toMatchObject({ lost: 4 });
  });
});

test.each(['2025', '2026'])('a client of %s gets its answers while the store hangs', async (era) => {
  const { store, connect } = await vault({ kinds: ['destructive', 'write', 'denied'], storeTimeout: 30 });
  const client = await connect(era, ANN);
  const append = store.append.bind(store);
  store.append = () => new Promise(() => undefined);
  const refused = await client.callTool({ name: 'vault', arguments: { action: 'delete', id: '1' } });
  expect(factsOf(refused)).toMatchObject({ code: 'TRY_AGAIN_LATER' });
  const written = await client.callTool({ name: 'vault', arguments: { action: 'write', id: '1' } });
  expect(written.isError).not.toBe(true);
  expect(ran).toEqual(['write 1']);
  const stranger = await connect(era, BOB);
  await expect(
    stranger.callTool({ name: 'vault', arguments: { action: 'delete', id: '2' } }),
  ).rejects.toThrow();
  store.append = append;
  expect(await verifyAudit(store)).toMatchObject({ isSound: true });
});

test('what a stranger sends makes no record long', async () => {
  @ToolGroup('door')
  class Door {
    @Action() @Public() knock() {
      return 'open';
    }
    @Action() enter() {
      return 'inside';
    }
  }
  @Module({ controllers: [Door] })
  class DoorModule {}
  const store = new InMemoryAuditStore();
  const made = await createAppWithCallers(
    DoorModule,
    { resource: 'https://mcp.example/mcp' },
    { audit: { store, arguments: true } },
  );
  const long = 'n'.repeat(100_000);
  for (const params of [{ name: long }, { name: 'door', arguments: { action: long } }]) {
    expect((await send(await made.url(), { body: message('tools/call', params) })).status).toBe(401);
  }
  await made.app.close();
  expect(store.lines.filter((line) => line.includes('UNAUTHENTICATED'))).toHaveLength(2);
  expect(Math.max(...store.lines.map(({ length }) => length))).toBeLessThan(1000);
});

test('onFailure counts for all kinds of calls', async () => {
  const down = (): Promise<void> => Promise.reject(new Error('down'));
  const lax = await vault({ onFailure: 'continue' });
  lax.store.append = down;
  await (
    await lax.connect('2026', ANN)
  ).callTool({ name: 'vault', arguments: { action: 'delete', id: '1' } });
  const strict = await vault({ onFailure: 'refuse', kinds: ['write'] });
  strict.store.append = down;
  await (
    await strict.connect('2026', ANN)
  ).callTool({ name: 'vault', arguments: { action: 'write', id: '1' } });
  expect(ran).toEqual(['delete 1']);
});

test('arguments are there if they are wanted, without what is sensitive', async () => {
  const { store, connect, records } = await vault({ arguments: true });
  const client = await connect('2026', ANN);
  await client.callTool({
    name: 'vault',
    arguments: { action: 'login', user: 'ann', password: 'hunter2-hunter2' },
  });
  expect(records()[0]?.arguments).toEqual({ user: 'ann', password: '[redacted]' });
  expect(records()[1]).not.toHaveProperty('arguments');
  expect(store.lines.join('')).not.toContain('hunter2');
});

test('the hash of arguments is one of a key: the same for the same key, and another for another', async () => {
  const hashes: unknown[] = [];
  for (const key of ['one key', 'one key', 'another key']) {
    const { connect, records } = await vault({ key });
    await (await connect('2026', ANN)).callTool({ name: 'vault', arguments: { id: '1', action: 'delete' } });
    hashes.push(records()[0]?.argumentsHash);
  }
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[2]).not.toBe(hashes[0]);
});

test('consents alone: what is asked for first is recorded, and no other destructive call', async () => {
  const { connect, records } = await vault({ kinds: ['consent'] });
  const client = await connect('2026', ANN);
  await client.callTool({ name: 'vault', arguments: { action: 'delete', id: '1' } });
  await client.callTool({ name: 'vault', arguments: { action: 'burn', id: '2' } });
  expect(records().map(({ type, action }) => [type, action])).toEqual([
    ['attempt', 'burn'],
    ['outcome', 'burn'],
  ]);
});

test('reads are recorded if they are wanted: read-only actions, prompts; lists are not', async () => {
  const { connect, records } = await vault({ kinds: ['read'] });
  const client = await connect('2026', ANN);
  await client.listTools();
  await client.callTool({ name: 'vault', arguments: { action: 'read', id: '1' } });
  await client.callTool({ name: 'vault', arguments: { action: 'write', id: '1' } });
  await client.getPrompt({ name: 'greet' });
  expect(records().map(({ type, tool, action }) => [type, tool, action])).toEqual([
    ['attempt', 'vault', 'read'],
    ['outcome', 'vault', 'read'],
    ['attempt', 'greet', undefined],
    ['outcome', 'greet', undefined],
  ]);
});

test('calls from inside the process are recorded, with the trace of a client that sends one', async () => {
  const { app, connect, records } = await vault({}, { auth: false });
  await app.call('vault', { action: 'login', user: 'ann', password: 'hunter2-hunter2' });
  expect(records()[0]).toMatchObject({ via: 'process', tool: 'vault' });
  const client = await connect('2026', ANN);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await client.callTool({
    name: 'vault',
    arguments: { action: 'login', user: 'bob', password: 'hunter2-hunter2' },
    _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  expect(records()[2]).toMatchObject({ traceId });
});

test('the configuration is recorded: starts, changes and the end', async () => {
  const { app, store } = await vault();
  app.registry.register(createTool('late').action({ name: 'run', handler: () => 'late' }));
  await app.close();
  const records = store.lines.map((line) => JSON.parse(line) as Seen);
  expect(records.map(({ type, change }) => change ?? type)).toEqual(['start', 'started', 'tools', 'stopped']);
  expect(records[1]?.details).toEqual({ surface: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(records[2]?.details).not.toEqual(records[1]?.details);
  expect(records[0]?.details).toEqual({ name: 'vault', version: '0.0.0' });
});

test('mistakes in the options are reported at the start', async () => {
  const created = createAppWithCallers(
    VaultModule,
    { resource: 'https://mcp.example/mcp' },
    {
      audit: { store: {}, kinds: ['destroy'], checkpoints: { key: 'no key' }, onfailure: 'refuse' } as never,
    },
  );
  const error = await created.catch((thrown: unknown) => String(thrown));
  for (const said of ['audit.store', 'audit.kinds', 'audit.checkpoints.key', 'anchor', 'onFailure']) {
    expect(error).toContain(said);
  }
  expect(error).not.toContain('no key');
});
