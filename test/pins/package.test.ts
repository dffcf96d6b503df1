import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LineProcess } from '../fixtures/line-process.ts';
import { TRACE_MODULES } from '../fixtures/trace-modules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { exports: entries } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as {
  exports: Readonly<Record<string, unknown>>;
};
const names = Object.keys(entries)
  .filter((entry) => entry !== './package.json')
  .map((entry) => `toolwright${entry.slice(1)}`);

// Inside the package, its own name leads to what is built, through `exports`, as in a user's project.
async function runInPackage(script: string, ...args: readonly string[]): Promise<LineProcess> {
  const started = new LineProcess({ args: [...args, '--eval', script], cwd: root });
  if ((await started.ended) !== 0) throw new Error(started.output());
  return started;
}

const MODULE = '--input-type=module';
const LISTENS = 'listens';
const TRANSPORT = /^listens$|@modelcontextprotocol|\/zod\/|\/dist\/server\/(fetch|http|sdk-v\d|stdio)\//;

async function loadedBy(script: string): Promise<readonly string[]> {
  const { stderr } = await runInPackage(script, MODULE, ...TRACE_MODULES);
  return stderr
    .filter((line) => line === LISTENS || line.startsWith('loads '))
    .map((line) => line.replace(/^loads /, ''));
}

describe.each(names)('%s', (name) => {
  test('gives the same exports to import and to require', async () => {
    const print = 'console.log(Object.keys(entry).filter((key) => key !== "__esModule").sort().join());';
    const imported = await runInPackage(`import * as entry from '${name}'; ${print}`, MODULE);
    const required = await runInPackage(`const entry = require('${name}'); ${print}`, '--no-warnings');
    expect(imported.stdout[0]).not.toBe('');
    expect(required.stdout).toEqual(imported.stdout);
  });
});

describe('importing toolwright', () => {
  test('loads no transport and nothing of an SDK', async () => {
    const loaded = await loadedBy("await import('toolwright')");
    expect(loaded).toContainEqual(expect.stringContaining('/dist/application.js'));
    expect(loaded.filter((url) => TRANSPORT.test(url))).toEqual([]);
  });

  test('loads a transport when it listens, and an SDK for the first message of its era', async () => {
    const loaded = await loadedBy(`
      import { McpApplication, Module } from 'toolwright';
      class Empty {}
      Module()(Empty);
      const app = await McpApplication.create(Empty);
      const { url } = await app.listen({ port: 0, sessions: false });
      console.error('listens');
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
      await app.close();`);
    const transports = loaded.filter((url) => TRANSPORT.test(url));
    const [early, late] = [transports.slice(0, transports.indexOf(LISTENS)), transports];
    expect(early).toContainEqual(expect.stringContaining('/dist/server/http/'));
    expect(early).not.toContainEqual(expect.stringContaining('@modelcontextprotocol'));
    expect(late).toContainEqual(expect.stringContaining('@modelcontextprotocol/sdk/'));
    expect(late).not.toContainEqual(
      expect.stringMatching(/@modelcontextprotocol\/server|\/dist\/server\/stdio/),
    );
  });
});

test('importing the model loads no dependency at all', async () => {
  const loaded = await loadedBy("await import('toolwright/model')");
  expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([]);
});
