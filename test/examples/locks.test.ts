import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli-process.ts';
import { EXAMPLES, LOCKED_ENTRIES } from '../support/example-process.ts';

let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'toolwright-'));
});

afterAll(() => rm(data, { recursive: true, force: true }));

test.each(Object.entries(LOCKED_ENTRIES))(
  '%s offers what its lock file says, without advice',
  async (name, entry) => {
    const cwd = join(EXAMPLES, name);
    const env = {
      TASK_BOARD_FILE: join(data, 'board.db'),
      KNOWLEDGE_BASE_FOLDER: join(data, 'pages'),
      RELEASE_MANAGER_FILE: join(data, 'runs.db'),
      SUPPORT_DESK_FOLDER: join(data, 'desk'),
      SUPPORT_DESK_ISSUER: 'http://127.0.0.1:4000',
    };
    const { code, stdout } = await runCli(['lock', entry, '--check'], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'toolwright.lock.json is up to date.' });
    const checked = await runCli(['check', entry, '--fail-on', 'advice'], { cwd, env });
    expect(checked).toEqual({ code: 0, stdout: expect.any(String), stderr: expect.any(String) });
  },
);

test('every example that offers something has a lock file', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter(
    ({ name }) => existsSync(join(EXAMPLES, name, 'main.ts')) || name in LOCKED_ENTRIES,
  );
  const unlocked = folders.filter(({ name }) => !existsSync(join(EXAMPLES, name, 'toolwright.lock.json')));
  // It runs a workflow and serves nothing
  expect(unlocked.map(({ name }) => name)).toEqual(['editorial-desk']);
});
