import { expect, jest, test } from '@jest/globals';
import { Socket } from 'node:net';
import type { HttpOptions } from '../../../../src/transports/http/http-options.ts';
import { headers2026, message2026 } from '../../../support/client-of-2026.ts';
import { EventReader } from '../../../support/event-reader.ts';
import type { FakeTool } from '../../../support/fake-application.ts';
import { serve } from '../../../support/http-server.ts';
import { JSON_HEADERS, message } from '../../../support/raw-http.ts';
import { openDesk, version1, version2 } from '../../../support/replicated-desk.ts';
import { roundRobin, type Backend } from '../../../support/round-robin.ts';

/** A tool that reports progress, and then runs until its call is aborted. */
const work: FakeTool = async (_args, { notify, meta, signal }) => {
  await notify('notifications/progress', { progress: 1, progressToken: meta['progressToken'] });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return 'aborted';
};

const REFUSED = /outcome is unknown/;

test('a 2026 client learns from another instance that its call is lost with the one that ran it', async () => {
  const { proxy, replicas } = await openDesk({ count: 2 });
  const client = await version2('2026')(proxy.url);
  proxy.pin(0);
  const running = client.callTool({ name: 'desk', arguments: { action: 'work', name: 'lost' } }, undefined, {
    onprogress: () => {
      proxy.pin(undefined);
      replicas[0]?.kill();
    },
  });
  await expect(running).rejects.toThrow(REFUSED);
});

test.each([
  ['SDK v1', version1],
  ['SDK v2', version2('2025')],
] as const)(
  'a 2025 client of %s without a session learns at another instance that its call is lost',
  async (_, connect) => {
    const backends: Backend[] = [];
    for (let count = 0; count < 2; count += 1) {
      backends.push({ url: (await serve({ sessions: false }, { work })).url, isDown: false });
    }
    const proxy = await roundRobin(backends);
    const client = await connect(proxy.url);
    proxy.pin(0);
    const running = client.callTool({ name: 'work' }, undefined, {
      onprogress: () => {
        proxy.pin(1);
        proxy.cut(0);
      },
    });
    await expect(running).rejects.toThrow(REFUSED);
    await client.close();
    await proxy.close();
  },
);

/** The first event of a call of 2026-07-28 that runs on. */
async function begin(url: string, id: number | string, headers: Readonly<Record<string, string>> = {}) {
  const own = { ...JSON_HEADERS, ...headers2026('tools/call', 'work'), ...headers };
  const params = { name: 'work', _meta: { ...META, progressToken: 'p' } };
  const body = JSON.stringify(message2026('tools/call', params, id));
  const stream = new EventReader(await fetch(url, { method: 'POST', headers: own, body }));
  const event = await stream.next();
  await stream.leave();
  return event?.id ?? '';
}

const META = (message2026('tools/call') as { params: { _meta: object } }).params._meta;

const get = (url: string, place: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': place, ...headers } });

test.each([1, 0, -1, 'seven', '', 'ü €\u0000', 'x'.repeat(200)])(
  'the error has the id of the request: %j',
  async (id) => {
    const { url } = await serve({}, { work });
    const [error, ...more] = await new EventReader(await get(url, await begin(url, id))).rest();
    expect(more).toEqual([]);
    expect(error?.message).toMatchObject({ id, error: { code: -32603, data: { code: 'OUTCOME_UNKNOWN' } } });
    // Clients that come back after an error as well come back once
    expect((await get(url, error?.id ?? '')).status).toBe(204);
  },
);

test('a stream has no id where that of its request is unusually long', async () => {
  const { url } = await serve({}, { work });
  expect(await begin(url, 'x'.repeat(300))).toBe('');
});

test.each([
  ['with sessions', {}],
  ['without sessions', { sessions: false }],
] as [string, Partial<HttpOptions>][])(
  'nobody comes back %s with an id of another form',
  async (_, options) => {
    const { url } = await serve(options, { work });
    const revision = { 'mcp-protocol-version': '2026-07-28' };
    const mark = await begin(url, 1);
    expect((await get(url, mark, revision)).status).toBe(200);
    for (const place of ['', 'call-', 'call-7b7d', 'call-6', `${mark}!!`, `x${mark}`, 'call-zz']) {
      expect([place, (await get(url, place, revision)).status]).toEqual([place, 405]);
    }
    const posted = {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'last-event-id': mark },
      body: message('ping'),
    };
    expect((await fetch(url, posted)).headers.get('content-type')).toContain('json');
  },
);

test('who comes back is asked who that is, and has to accept a stream', async () => {
  const authenticate: HttpOptions['authenticate'] = ({ headers }) =>
    headers['authorization'] === undefined ? undefined : { token: 't', clientId: 'ann', scopes: [] };
  const { url } = await serve({ authenticate }, { work });
  const mark = await begin(url, 1, { authorization: 'ann' });
  expect((await get(url, mark)).status).toBe(401);
  expect((await get(url, mark, { authorization: 'ann' })).status).toBe(200);
  expect((await get(url, mark, { authorization: 'ann', accept: 'application/json' })).status).toBe(406);
});

type Write = (this: Socket, ...given: unknown[]) => void;

test('the headers of a stream and its first id leave in one packet: with headers alone, no client comes back', async () => {
  const packets: string[] = [];
  const sockets = Socket.prototype as unknown as Record<'_write' | '_writev', Write>;
  for (const name of ['_write', '_writev'] as const) {
    const write = sockets[name];
    jest.spyOn(sockets, name).mockImplementation(function (this: Socket, ...given: unknown[]) {
      const chunks = name === '_write' ? [{ chunk: given[0] }] : (given[0] as readonly { chunk: unknown }[]);
      packets.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      write.apply(this, given);
    });
  }
  try {
    const { url } = await serve({}, { work });
    const id = await begin(url, 1);
    expect(packets.find((packet) => packet.startsWith('HTTP/1.1 200'))).toContain(`id: ${id}`);
  } finally {
    jest.restoreAllMocks();
  }
});
