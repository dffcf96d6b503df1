import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient, type McpClientOptions } from '../../src/client/mcp-client.ts';
import { eventually } from '../support/eventually.ts';
import { HostileServer, PENDING, type Answer } from '../support/hostile-server.ts';

const servers: HostileServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serve(answer?: Answer): Promise<HostileServer> {
  const server = await HostileServer.open(answer);
  servers.push(server);
  return server;
}

const HEADERS = { 'x-api-key': 'KEYSECRET', authorization: 'Bearer secret', cookie: 'a=b' };

interface Limits extends McpClientOptions {
  readonly maxAnswerBytes?: number;
}

function connect(
  { url }: HostileServer,
  { maxAnswerBytes = 10_000, ...options }: Limits = {},
): Promise<McpClient> {
  return McpClient.connect(new HttpTransport(url, { headers: HEADERS, maxAnswerBytes }), options);
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location }).end('elsewhere');
}

describe('a redirect to another origin gets nothing', () => {
  const cases = [301, 302, 303, 307, 308].flatMap((status) =>
    ['server/discover', 'initialize', 'tools/call'].map((method) => [status, method] as const),
  );
  test.each(cases)('%i, at %s', async (status, method) => {
    const other = await serve();
    const server = await serve(({ message }, response) => {
      if (message.method === method) redirect(response, status, `${other.url}/internal?x=1`);
    });
    const called = connect(server).then((client) => client.callTool('a', { password: 'hunter2' }));
    // Without an answer to the first message, the client tries the other era
    if (method === 'server/discover') await called.catch(() => undefined);
    else
      await expect(called).rejects.toMatchObject({
        code: 'TW_CLIENT_CONNECTION',
        where: server.url,
        what: `redirects to ${other.url}/internal?x=1, and a client does not go there.`,
      });
    expect(other.received).toEqual([]);
  });

  test.each(['GET', 'DELETE'])('at the %s of a session', async (method) => {
    const other = await serve();
    const server = await serve((received, response) => {
      response.setHeader('mcp-session-id', 'one');
      if (received.method === method) redirect(response, 307, other.url);
    });
    const client = await connect(server);
    const isSent = (): boolean => server.received.some((received) => received.method === method);
    if (method === 'GET') await eventually(isSent);
    await client.close();
    expect([isSent(), other.received]).toEqual([true, []]);
  });
});

describe('within its origin, a redirect', () => {
  test.each([307, 308])('with the status %i is followed, with the same method and body', async (status) => {
    const server = await serve(({ url }, response) => {
      if (url === '/mcp') redirect(response, status, '/mcp/');
    });
    const client = await connect(server);
    expect(await client.listTools()).toEqual([]);
    const moved = server.received.filter(({ url }) => url === '/mcp/');
    expect(moved.map(({ message }) => message.method)).toContain('tools/list');
    for (const { method, headers } of moved)
      expect([method, headers['x-api-key']]).toEqual(['POST', 'KEYSECRET']);
    await client.close();
  });

  test.each([301, 302, 303])('with the status %i would change the method, and is named', async (status) => {
    const server = await serve(({ url }, response) => {
      if (url === '/mcp') redirect(response, status, '/elsewhere');
    });
    await expect(connect(server)).rejects.toMatchObject({
      what: expect.stringContaining('/elsewhere'),
      why: `the status ${String(status)} asks for another method.`,
    });
    expect(server.received.filter(({ url }) => url !== '/mcp')).toEqual([]);
  });

  test('that has no end is an error', async () => {
    const server = await serve((_received, response) => {
      redirect(response, 307, '/mcp');
    });
    await expect(connect(server)).rejects.toMatchObject({ why: 'it redirects again and again.' });
  });
});

/** Writes for as long as there is a reader; never faster than it reads. */
function flood(response: ServerResponse, type: string, piece: string): symbol {
  response.writeHead(200, { 'content-type': type });
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
  return PENDING;
}

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

test.each([
  ['a JSON answer', JSON_TYPE, ' '.repeat(1000)],
  ['one line of an event', EVENTS, `data: ${'x'.repeat(1000)}`],
  ['an event of many lines', EVENTS, 'data: x\n'.repeat(100)],
  ['an answer that is neither', 'text/html', 'x'.repeat(1000)],
])('%s without an end is cut at the limit', async (_name, type, piece) => {
  const server = await serve(({ message }, response) =>
    message.method === 'tools/list' ? flood(response, type, piece) : undefined,
  );
  const client = await connect(server, { era: '2025' });
  await expect(client.listTools()).rejects.toMatchObject({
    code: 'TW_CLIENT_LIMIT',
    what: 'sends more than 10000 bytes as one answer.',
  });
  await client.close();
});

test('an endless answer to a notification, which says nothing, is not read', async () => {
  const server = await serve(({ message }, response) =>
    message.method === 'notifications/initialized' ? flood(response, JSON_TYPE, ' ') : undefined,
  );
  const client = await connect(server, { era: '2025' });
  expect(await client.listTools()).toEqual([]);
  await client.close();
});

test('all pages of a list together have a limit', async () => {
  const tool = { name: 'a', description: 'x'.repeat(1000), inputSchema: { type: 'object' } };
  let page = 0;
  const server = await serve(({ message }) =>
    message.method === 'tools/list'
      ? { result: { tools: [tool], nextCursor: String((page += 1)) } }
      : undefined,
  );
  const client = await connect(server, { era: '2025', maxListBytes: 5000 });
  await expect(client.listTools()).rejects.toMatchObject({
    code: 'TW_CLIENT_LIMIT',
    what: 'sends more than 5000 bytes as all pages of tools/list.',
  });
  expect(page).toBe(5);
  await client.close();
});

describe('a server is not waited for without end', () => {
  const late = { code: 'TW_CLIENT_TIMEOUT' } as const;

  test.each(['initialize', 'notifications/initialized'])('where it never answers %s', async (method) => {
    const server = await serve(({ message }) => (message.method === method ? PENDING : undefined));
    await expect(connect(server, { era: '2025', timeout: 200 })).rejects.toMatchObject(late);
  });

  const listing = async (answer: Answer): Promise<void> => {
    const server = await serve((received, response) =>
      received.message.method === 'tools/list' ? answer(received, response) : undefined,
    );
    const client = await connect(server, { era: '2025' });
    await expect(client.listTools({ timeout: 50 })).rejects.toMatchObject(late);
    await client.close();
  };

  test('where it never answers a request', () => listing(() => PENDING));

  test('where it reports progress that was not asked for', () =>
    listing(({ message: { id } }, response) => {
      const params = { progressToken: id, progress: 1 };
      const report = { jsonrpc: '2.0', method: 'notifications/progress', params };
      return flood(response, EVENTS, `data: ${JSON.stringify(report)}\n\n`);
    }));

  test('where its pages have no end', () => {
    let page = 0;
    return listing(() => ({ result: { tools: [], nextCursor: String((page += 1)) } }));
  });
});

test.each<[string, unknown, string]>([
  ['the message', new Error('refused'), 'refused'],
  ['the name of an error without message', new RangeError(''), 'RangeError'],
  ['what was thrown instead of an error', 'gone', 'gone'],
  ['its cause, which says more', new TypeError('fetch failed', { cause: new Error('refused') }), 'refused'],
])('a request that fails says why: %s', async (_name, thrown, reason) => {
  const transport = new HttpTransport('http://127.0.0.1:1/mcp', {
    fetch: jest.fn<typeof fetch>().mockRejectedValue(thrown),
  });
  const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await expect(sent).rejects.toThrow(`http://127.0.0.1:1/mcp cannot be reached: ${reason}.`);
});
