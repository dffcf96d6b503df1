import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli-process.ts';
import { EXAMPLES, LOCKED_ENTRIES } from '../support/example-process.ts';
import { tries } from '../support/thorough.ts';

let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'toolwright-'));
});

afterAll(() => rm(data, { recursive: true, force: true }));

/** Where the examples keep their data. */
const dataIn = (folder: string): NodeJS.ProcessEnv => ({
  TASK_BOARD_FILE: join(folder, 'board.db'),
  KNOWLEDGE_BASE_FOLDER: join(folder, 'pages'),
  RELEASE_MANAGER_FILE: join(folder, 'runs.db'),
  SUPPORT_DESK_FOLDER: join(folder, 'desk'),
  SUPPORT_DESK_ISSUER: 'http://127.0.0.1:4000',
});

test.each(Object.entries(LOCKED_ENTRIES))(
  '%s offers what its lock file says, without advice',
  async (name, entry) => {
    const cwd = join(EXAMPLES, name);
    const env = dataIn(data);
    const { code, stdout } = await runCli(['lock', entry, '--check'], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'toolwright.lock.json is up to date.' });
    // The advice is about groups, and its clients are listed three tools that find actions
    if (name === 'github-issues') return;
    const checked = await runCli(['check', entry, '--fail-on', 'advice'], { cwd, env });
    expect(checked).toEqual({ code: 0, stdout: expect.any(String), stderr: expect.any(String) });
  },
);

/** Those with the most kinds of tools first. */
const SERVED = {
  ...{
    'task-board': 'main.ts',
    'release-manager': 'main.ts',
    'support-desk': 'main.ts',
    quickstart: 'main.ts',
  },
  ...{ 'existing-servers': 'express.ts', 'knowledge-base': 'main.ts', starter: 'src/server.ts' },
} as const;

test.each(Object.entries(SERVED).slice(0, tries(1, 7)))(
  '91: directories would take %s',
  async (name, entry) => {
    const args = ['check', entry, '--for', 'claude-directory,chatgpt-directory'];
    const { code, stderr } = await runCli(args, { cwd: join(EXAMPLES, name), env: dataIn(data) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('no problems') });
  },
);

test('every example that offers something has a lock file', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    ({ name }) => existsSync(join(EXAMPLES, name, 'main.ts')) || name in LOCKED_ENTRIES,
  );
  const unlocked = folders.filter(({ name }) => !existsSync(join(EXAMPLES, name, 'toolwright.lock.json')));
  // One runs a workflow and serves nothing, and one has nothing of its own
  expect(unlocked.map(({ name }) => name)).toEqual(['editorial-desk', 'gateway']);
});
