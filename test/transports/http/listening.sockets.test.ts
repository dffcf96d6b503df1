import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import type { HttpListenOptions } from 'toolwright';
import { callBy, create, KINDS, serve, socketPath } from '../../support/listening-desk.ts';
import { fetchBy, selfSigned } from '../../support/node-fetch.ts';
import { INITIALIZE, JSON_HEADERS } from '../../support/raw-http.ts';

describe('a Unix socket', () => {
  test.each(KINDS)('serves a client of %s', async (kind) => {
    const path = socketPath();
    const serving = await serve({ socketPath: path });
    expect([serving.url, serving.port, serving.socketPath]).toEqual([`http://unix:${path}:/mcp`, 0, path]);
    expect(await callBy(kind, 'http://localhost/mcp', fetchBy({ socketPath: path }))).toBe('unknown');
  });

  test('takes requests over TLS with a server that has certificates', async () => {
    const [path, certificate] = [socketPath(), await selfSigned()];
    const { url } = await serve({ socketPath: path, server: createHttps({ ...certificate }) });
    expect(url).toBe(`https://unix:${path}:/mcp`);
    const by = fetchBy({ socketPath: path, ca: certificate.cert });
    expect(await callBy('SDK v2, 2026', 'https://localhost/mcp', by)).toBe('unknown');
  });

  test('lets in the user of the process, or whom its mode says', async () => {
    const [own, shared] = [socketPath(), socketPath()];
    await serve({ socketPath: own });
    await serve({ socketPath: shared, socketMode: 0o660 });
    expect([own, shared].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o660]);
  });

  test('is removed when it is closed, and can be opened again', async () => {
    const path = socketPath();
    const first = await create();
    await first.listen({ socketPath: path, signals: false });
    await first.close();
    expect(existsSync(path)).toBe(false);
    await serve({ socketPath: path });
    expect(await callBy('SDK v1', 'http://localhost/mcp', fetchBy({ socketPath: path }))).toBe('unknown');
  });

  test('takes the place of one that a killed process left', async () => {
    const path = socketPath();
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', script])).toThrow();
    expect(existsSync(path)).toBe(true);
    await serve({ socketPath: path });
    expect(await callBy('SDK v1', 'http://localhost/mcp', fetchBy({ socketPath: path }))).toBe('unknown');
  });

  test('at which somebody listens is an error, and goes on', async () => {
    const path = socketPath();
    await serve({ socketPath: path });
    await expect(serve({ socketPath: path })).rejects.toMatchObject({
      code: 'TW_SERVER_LISTEN',
      message: expect.stringContaining(path),
      fix: expect.stringContaining('stop the process'),
    });
    expect(await callBy('SDK v1', 'http://localhost/mcp', fetchBy({ socketPath: path }))).toBe('unknown');
  });

  test('never takes the place of a file of another kind', async () => {
    const path = socketPath();
    writeFileSync(path, 'precious');
    await expect(serve({ socketPath: path })).rejects.toMatchObject({ code: 'TW_SERVER_LISTEN' });
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  test('needs a folder that is there', async () => {
    await expect(serve({ socketPath: join(socketPath(), 'below', 'mcp.sock') })).rejects.toMatchObject({
      code: 'TW_SERVER_LISTEN',
      fix: expect.stringContaining('a folder that exists'),
    });
  });

  test('is guarded as loopback is: by names of this machine, or those that are allowed', async () => {
    const [local, named] = [socketPath(), socketPath()];
    await serve({ socketPath: local });
    await serve({ socketPath: named, allowedHosts: ['mcp.example'] });
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
      const asked = { method: 'POST', body: INITIALIZE, headers: { ...JSON_HEADERS, ...headers } };
      return (await fetchBy({ socketPath: path })('http://localhost/mcp', asked)).status;
    };
    const evil = { origin: 'https://evil.example' };
    expect(await statusOf(local, {})).toBe(200);
    expect(await statusOf(local, evil)).toBe(403);
    expect(await statusOf(local, { host: 'mcp.example' })).toBe(403);
    expect(await statusOf(named, { host: 'mcp.example' })).toBe(200);
    expect(await statusOf(named, { host: 'evil.example' })).toBe(403);
  });

  test('needs the URL of a protected application, which nobody can read from it', async () => {
    const path = socketPath();
    const verify = { verify: () => undefined, issuers: ['https://login.example'] };
    await expect(serve({ socketPath: path }, { auth: { verify } })).rejects.toMatchObject({
      code: 'TW_APPLICATION_OPTION',
    });
    expect(existsSync(path)).toBe(false);
    await serve({ socketPath: path }, { auth: { verify, resource: 'https://mcp.example/mcp' } });
    const answer = await fetchBy({ socketPath: path })('http://mcp.example/mcp', {
      method: 'POST',
      body: '{}',
    });
    expect(answer.headers.get('www-authenticate')).toContain('https://mcp.example/.well-known/');
  });

  test('has the mode in a thread as well, which may not change that of the process', async () => {
    const path = socketPath();
    const script = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.entry).then(async ({ McpApplication, Module }) => {
        class Root {}
        Module({})(Root);
        const app = await McpApplication.create(Root);
        await app.listen({ socketPath: workerData.path, signals: false });
        parentPort.postMessage('listens');
        parentPort.once('message', () => app.close());
      });`;
    const entry = new URL('../../../dist/index.js', import.meta.url).href;
    const worker = new Worker(script, { eval: true, workerData: { entry, path } });
    await once(worker, 'message');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    worker.postMessage('end');
    await once(worker, 'exit');
    expect(existsSync(path)).toBe(false);
  });
});

describe('the address of a client behind a socket', () => {
  const whoBy = async (options: Partial<HttpListenOptions>, headers: Record<string, string>) => {
    const path = socketPath();
    await serve({ socketPath: path, ...options });
    const by = fetchBy({ socketPath: path });
    return callBy('SDK v1', 'http://localhost/mcp', (url, init) => {
      const all = new Headers(init?.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return by(url, { ...init, headers: all });
    });
  };

  test('is what a trusted proxy says, and nobody else', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    expect(await whoBy({}, forwarded)).toBe('unknown');
    expect(await whoBy({ trustedProxies: ['10.0.0.0/8'] }, forwarded)).toBe('unknown');
    expect(await whoBy({ trustedProxies: ['unix:'] }, forwarded)).toBe('203.0.113.9');
    expect(await whoBy({ trustedProxies: ['unix:', '203.0.113.0/24'] }, forwarded)).toBe('198.51.100.7');
    expect(await whoBy({ trustedProxies: ['unix:'] }, {})).toBe('unknown');
  });
});
