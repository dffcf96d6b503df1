import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ENTRIES, runCli, startCli } from '../../support/cli-process.ts';
import { addressOf } from '../../support/example-process.ts';
import type { LineProcess } from '../../support/line-process.ts';
import { callBy, socketPath } from '../../support/listening-desk.ts';
import { fetchBy } from '../../support/node-fetch.ts';

async function post(url: string, body: object): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const { method, params } = body as { method: string; params: { name: string } };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
}

async function isFree(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${String(port)}/`).then(
    () => false,
    () => true,
  );
}

async function started(...options: readonly string[]): Promise<{ server: LineProcess; url: string }> {
  const server = startCli(['run', 'tasks.ts', '--port', '0', ...options]);
  return { server, url: await addressOf(server) };
}

describe('run', () => {
  test('serves at the port that is asked for, and prints the address alone', async () => {
    const { server, url } = await started('--path', '/elsewhere');
    expect(server.stdout).toEqual([url]);
    expect(url).toMatch(/\/elsewhere$/);
    // The file has the same address
    expect(server.stderr).toContain(`tasks at ${url}`);
    const { stdout } = await runCli(['call', url, 'tasks.list']);
    expect(JSON.parse(stdout)).toEqual(['Milk']);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('works on queues as the file says, and serves nothing beside that', async () => {
    const worker = startCli(['run', 'worker.ts']);
    await worker.line('stderr', 'Ctrl-C');
    expect(worker.stderr).toEqual([
      'takes tasks of reports',
      'Working on reports.',
      'Serving. Ctrl-C ends it.',
    ]);
    expect(worker.stdout).toEqual([]);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('serves at the Unix socket of the file, or at the port that is asked for', async () => {
    const path = socketPath();
    const env = { MCP_SOCKET: path };
    const [socket, port] = [[], ['--port', '0']].map((more) =>
      startCli(['run', 'socket.ts', ...more], { env }),
    );
    const url = await addressOf(port as LineProcess);
    expect((await runCli(['call', url, 'first.one'])).stdout).toBe('one');
    expect(await socket?.line('stdout', 'http')).toBe(`http://unix:${path}:/mcp`);
    const fetched = await callBy('SDK v2, 2026', 'http://localhost/mcp', fetchBy({ socketPath: path }), {
      tool: 'first',
      action: 'one',
    });
    expect(fetched).toBe('one');
    for (const server of [socket, port]) server?.kill('SIGTERM');
    expect([await socket?.ended, await port?.ended, existsSync(path)]).toEqual([0, 0, false]);
  });

  test('serves a module that a file only exports', async () => {
    const server = startCli(['run', 'two-modules.ts#A', '--port', '0', '--json']);
    const { url } = JSON.parse(await server.line('stdout', 'url')) as { url: string };
    expect((await runCli(['call', url, 'first.one'])).stdout).toBe('one');
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('with --stdio keeps stdout for the protocol, though the file prints', async () => {
    const command = `'${process.execPath}' '${ENTRIES}../../../dist/cli/main.js' run '${ENTRIES}tasks.ts' --stdio`;
    const { code, stdout } = await runCli(['call', '--command', command, 'tasks.list', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ content: expect.anything() })]);
    const server = startCli(['run', 'tasks.ts', '--stdio']);
    server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await server.answer(1);
    server.end();
    expect(await server.ended).toBe(0);
    for (const line of server.stdout) expect(JSON.parse(line)).toHaveProperty('jsonrpc');
  });

  test('never takes another port than the one that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const port = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await runCli(['run', 'tasks.ts', '--port', port]);
    other.close();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(port);
    expect(stderr).toContain('TW_SERVER_LISTEN');
  });
});

describe('a signal', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolwright-run-'));
    file = join(folder, 'let-go');
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** A server with a call that runs until the file is there. */
  async function holding(env: NodeJS.ProcessEnv = {}) {
    const server = startCli(['run', 'held.ts', '--port', '0'], { env });
    const url = await addressOf(server);
    const params = { name: 'tasks', arguments: { action: 'hold', file } };
    const answer = post(url, { method: 'tools/call', params }).then((response) => response.text());
    // Its connection may be cut while nobody waits for it
    answer.catch(() => undefined);
    await server.line('stderr', 'holding');
    return { server, url, answer };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('%s lets the running call end, frees the port, and ends with %d', async (signal, expected) => {
    const { server, url, answer } = await holding();
    server.kill(signal);
    await server.line('stderr', 'running calls may finish');
    await writeFile(file, '');
    expect(await answer).toContain('let go');
    expect(await server.ended).toBe(expected);
    expect(await isFree(Number(new URL(url).port))).toBe(true);
  });

  test('SIGTERM ends with 1 when a call was cut off', async () => {
    const { server } = await holding({ DRAIN: '100' });
    server.kill('SIGTERM');
    expect(await server.ended).toBe(1);
    expect(server.stderr.join('\n')).toContain('were cut off');
  });

  test('a second one does not wait', async () => {
    const { server } = await holding();
    server.kill('SIGINT');
    await server.line('stderr', 'running calls may finish');
    server.kill('SIGINT');
    expect(await server.ended).toBe(130);
  });
});
