import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLock } from '../../../src/cli/lock/lock-file.ts';
import { surfaceOfApplication } from '../../../src/cli/surface/read-surface.ts';
import { createTasksApp } from '../../client/typed/tasks-app.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { HostileServer, PENDING } from '../../support/hostile-server.ts';

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-export-'));
  closing.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'toolwright.lock.json');
  await writeFile(file, text);
  return file;
}

describe('export --for client', () => {
  test('writes the same types of an application that runs and of its lock; a lock without the flat surface says so', async () => {
    const app = await createTasksApp();
    closing.push(() => app.close());
    const lock = await fileWith(writeLock({ surface: await surfaceOfApplication(app), accept: [] }));
    const locked = await runInProcess(['export', lock, '--for', 'client']);
    expect(locked.code).toBe(0);
    expect(locked.stdout).toMatch(/^\/\/ The tools and prompts of "task-board"/);
    expect(locked.stdout).toContain('export type TaskBoard = {');
    const { url } = await app.listen({ port: 0 });
    const served = await runInProcess(['export', url, '--for', 'client', '--json']);
    expect((JSON.parse(served.stdout) as { readonly types: string }).types).toContain(
      'export type TaskBoard = {',
    );
    const flat = await runInProcess(['export', lock, '--for', 'client', '--flat']);
    expect([flat.code, flat.stdout]).toEqual([2, '']);
    expect(flat.stderr).toContain('toolwright lock --full');
  });

  test('sends headers, and says who refuses', async () => {
    const server = await HostileServer.open(({ headers }) =>
      headers['x-key'] === 'right' ? undefined : { error: { code: -32_000, message: 'Wrong key' } },
    );
    closing.push(() => server.close());
    const ran = await runInProcess(['export', server.url, '--for', 'client', '-H', 'x-key: right']);
    expect(ran.stdout).toContain('  tools: {  };\n');
    const refused = await runInProcess(['export', server.url, '--for', 'client']);
    expect([refused.code === 0, refused.stdout]).toEqual([false, '']);
    expect(refused.stderr).toContain('Wrong key');
  });

  test.each([
    ['a lock that is none', '{}', 2, 'is not a lock file'],
    ['a lock that is cut off', '{"lockVersion":2,', 2, 'is not complete JSON'],
  ])('names %s', async (_name, text, code, words) => {
    const ran = await runInProcess(['export', await fileWith(text), '--for', 'client']);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toContain(words);
  });

  test('names an address that answers with a page', async () => {
    const server = await HostileServer.open((_received, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return PENDING;
    });
    closing.push(() => server.close());
    const ran = await runInProcess(['export', server.url, '--for', 'client']);
    expect([ran.code, ran.stdout]).toEqual([4, '']);
    expect(ran.stderr).toContain('<h1>Welcome</h1>');
  });
});
