import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:https';
import { McpApplication, type HttpListenOptions } from 'toolwright';
import { sourcesOf } from '../../src/explorer/place.ts';
import { ask, place, TasksModule, TOKEN } from '../support/explored-app.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { selfSigned } from '../support/node-fetch.ts';
import { JSON_HEADERS, message } from '../support/raw-http.ts';

let application: McpApplication;

beforeAll(async () => {
  application = await McpApplication.create(TasksModule, { name: 'task-board', version: '1.4.0' });
});

afterAll(() => application.close());

/** Opens the page where it says that it is, and asks as the page does. */
async function expectToWork(options: HttpListenOptions, ca?: string): Promise<void> {
  const serving = await application.listen({ port: 0, explorer: true, signals: false, ...options });
  const [at, own] = place(serving);
  const headers = { ...JSON_HEADERS, [TOKEN]: own, origin: at };
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const body = message('initialize', client);
  expect((await ask(`${at}/explorer`, { ca })).status).not.toBe(403);
  expect((await ask(`${at}/explorer/api/lock`, { headers, ca })).status).toBe(200);
  expect((await ask(`${at}/explorer/mcp`, { method: 'POST', headers, body, ca })).status).toBe(200);
  await serving.close();
}

describe('where it is served', () => {
  test.each([
    '0.0.0.0',
    '::',
    '0',
    '0x0',
    '00000',
    '0.0',
    '000.000.000.000',
    '::0',
    '[::]',
    '0:0:0:0:0:0:0:0',
    '::ffff:0.0.0.0',
    '::ffff:0:0',
  ])('the wildcard address %s is refused, and leaves no server behind', async (host) => {
    await expect(application.listen({ port: 0, host, explorer: true, signals: false })).rejects.toMatchObject(
      {
        code: 'TW_EXPLORER_HOST',
      },
    );
  });

  test('the address * stands for nothing', async () => {
    await expect(
      application.listen({ port: 0, host: '*', explorer: true, signals: false }),
    ).rejects.toMatchObject({ code: 'TW_SERVER_LISTEN' });
  });

  test.each(['127.0.0.1', 'localhost', '127.1', '::1', '::ffff:127.0.0.1'])(
    'on %s the page is at the address that is printed, and its requests are answered',
    async (host) => {
      await expectToWork({ host });
    },
  );

  test('each start has a token of its own', async () => {
    const servings = [
      await application.listen({ port: 0, explorer: true, signals: false }),
      await application.listen({ port: 0, explorer: true, signals: false }),
    ] as const;
    const [[at], [, other]] = [place(servings[0]), place(servings[1])];
    expect((await ask(`${at}/explorer/api/lock`, { headers: { [TOKEN]: other } })).status).toBe(401);
    for (const serving of servings) await serving.close();
  });

  test('behind TLS as well', async () => {
    const certificate = await selfSigned();
    await expectToWork({ server: createServer({ ...certificate }) }, certificate.cert);
  });

  test.each([
    ['http://127.0.0.1/mcp', '127.0.0.1:80', 'http://127.0.0.1'],
    ['https://127.0.0.1/mcp', 'localhost:443', 'https://localhost'],
  ])('at the port that a browser leaves out (%s)', (url, host, from) => {
    const { hosts, origins } = sourcesOf({ url: new URL(url), address: '127.0.0.1' });
    expect(hosts).toEqual(expect.arrayContaining([host, host.replace(/:\d+/, '')]));
    expect(origins).toContain(from);
  });

  test('others reach it only with a warning', async () => {
    const logger = new MemoryLogger();
    const logged = await McpApplication.create(TasksModule, { name: 'task-board', logger });
    await logged.listen({ port: 0, explorer: true, signals: false });
    const isWarned = (): boolean => logger.records.some(({ event }) => event === 'explorer.exposed');
    expect(isWarned()).toBe(false);
    await logged.listen({ port: 0, host: '0.0.0.0', explorer: { exposed: true }, signals: false });
    expect(isWarned()).toBe(true);
    await logged.close();
  });

  test('with `exposed` it is served on all interfaces, by the names of this machine only', async () => {
    const exposed = await application.listen({
      port: 0,
      host: '0.0.0.0',
      explorer: { exposed: true },
      signals: false,
    });
    const [at, own] = place(exposed);
    const path = `${at}/explorer/api/lock`;
    expect((await ask(path, { headers: { [TOKEN]: own } })).status).toBe(200);
    expect(
      (await ask(path, { headers: { [TOKEN]: own, host: `10.0.0.1:${String(exposed.port)}` } })).status,
    ).toBe(403);
    await exposed.close();
  });

  test('not in production, unless it is said to be unsafe', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await expect(application.listen({ port: 0, explorer: true })).rejects.toMatchObject({
        code: 'TW_EXPLORER_PRODUCTION',
      });
      const unsafe = await application.listen({ port: 0, explorer: 'unsafe-in-production', signals: false });
      expect(unsafe.explorer).toContain('/explorer#token=');
      await unsafe.close();
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  test('an endpoint at its path, and an option that is none, are refused', async () => {
    await expect(application.listen({ port: 0, path: '/explorer/x', explorer: true })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
    });
    await expect(application.listen({ port: 0, explorer: 'yes' as never })).rejects.toMatchObject({
      code: 'TW_SERVER_OPTION',
    });
  });

  test('without the option there is nothing', async () => {
    const plain = await application.listen({ port: 0, signals: false });
    expect(plain.explorer).toBeUndefined();
    expect((await ask(new URL('/explorer', plain.url).href)).status).toBe(404);
    await plain.close();
  });
});
