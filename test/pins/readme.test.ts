import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpApplication } from 'toolwright';
import { firstSteps, GUIDE, README } from '../package/documented-project.ts';
import { runCli, startCli } from '../support/cli-process.ts';
import { LineProcess } from '../support/line-process.ts';
import { fencedBlocks, readText, ROOT } from './docs/example.ts';

const QUICKSTART = 'examples/quickstart/';
const SERVER = `${QUICKSTART}server.ts`;
/** Where the pages say that a server is. */
const ADDRESS = 'http://127.0.0.1:3000/mcp';

let app: McpApplication;
beforeAll(async () => {
  // The quickstart as it is, only that nothing listens
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const listen = jest.spyOn(McpApplication.prototype, 'listen').mockResolvedValue({ url: '' } as never);
  await import(`../../${QUICKSTART}main.ts`);
  app = listen.mock.contexts[0] as McpApplication;
  listen.mockRestore();
  log.mockRestore();
});
afterAll(() => app.close());

function block(language: string, start: string, page: string = README): string | undefined {
  return fencedBlocks(page, language).find(({ text }) => text.startsWith(start))?.text;
}

/** The words of a printed command line. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
}

test('the README shows the quickstart as it is', () => {
  expect(block('ts', 'import')).toBe(readText(SERVER).trimEnd());
});

test('the README shows what a model sees of the quickstart', () => {
  expect(JSON.stringify(JSON.parse(block('json', '[') ?? ''))).toBe(JSON.stringify(app.definitions));
});

test('the README shows what one sees at the terminal, while the server runs', async () => {
  const cwd = join(ROOT, QUICKSTART);
  const server = startCli(['dev', 'server.ts', '--port', '0'], { cwd });
  try {
    const url = await server.line('stdout', 'http://');
    const runs = (block('console', '$') ?? '').split(/^\$ npx toolwright /m).slice(1);
    expect(runs).toHaveLength(3);
    for (const run of runs) {
      const [line = '', ...shown] = run.trimEnd().split('\n');
      const { stdout } = await runCli(wordsOf(line.replace(ADDRESS, url)), { cwd });
      expect([line, stdout]).toEqual([line, shown.join('\n')]);
    }
    // The server keeps what the second line has added; a file that is called keeps nothing
    expect((await runCli(['call', url, 'notes.list'], { cwd })).stdout).toContain('Buy milk');
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
});

test('the first line of the README serves the task board, and prints the line that calls it and the explorer', async () => {
  const commands = (block('sh', 'npm ci && npm start') ?? '')
    .split('\n')
    .map((line) => line.replace(/ *#.*/, ''));
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  const { scripts } = JSON.parse(readText('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  // The package is built already; npm would stand between the server and its signals
  const [, folder = '', args = ''] =
    /^npm run build && cd (\S+) && node (.+)$/.exec(scripts['start'] ?? '') ?? [];
  const data = await mkdtemp(join(tmpdir(), 'toolwright-'));
  const env = { PORT: '0', TASK_BOARD_FILE: join(data, 'board.db') };
  const server = new LineProcess({ args: wordsOf(args), cwd: join(ROOT, folder), env });
  try {
    const [url = ''] = /http:\S+/.exec(await server.line('stdout', 'serves at http://')) ?? [];
    const printed = (await server.line('stdout', 'node dist/cli/main.js call')).trim();
    expect(block('sh', 'node dist/cli/main.js call')).toBe(printed.replace(url, ADDRESS));
    const called = new LineProcess({ args: wordsOf(printed).slice(1), cwd: ROOT });
    expect([await called.ended, JSON.parse(called.stdout.join('\n'))]).toEqual([
      0,
      expect.objectContaining({ title: 'Buy milk' }),
    ]);
    const explorer = (await server.line('stdout', '/explorer#token=')).trim();
    expect((await fetch(explorer)).status).toBe(200);
  } finally {
    server.kill('SIGKILL');
    await server.ended;
    await rm(data, { recursive: true, force: true });
  }
});

test.each([README, GUIDE] as const)('%s installs what npm pack writes in a clone, by its path', (page) => {
  const { installs, start } = firstSteps(page);
  // The version in the name of the file is that of the package, or the file would not be recognised
  expect(installs).toEqual([
    { isDevelopment: false, packages: ['toolwright', 'class-validator', 'class-transformer'] },
  ]);
  expect(start).toEqual(['toolwright', 'dev', 'server.ts']);
  expect(block('sh', 'npm ci && npm run build', page)).toBe('npm ci && npm run build && npm pack');
});

test('the README stays short', () => {
  expect(readText('README.md').split('\n').length).toBeLessThanOrEqual(175);
});
