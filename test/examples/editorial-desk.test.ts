import { afterAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExample } from '../support/example-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

test('the example editorial-desk leads a run to its end without a server', async () => {
  const env = { EDITORIAL_DESK_FILE: join(directory, 'desk.db') };
  const { ended, stdout, stderr } = runExample('editorial-desk/main.ts', [], env);
  expect([await ended, stderr]).toEqual([0, []]);
  expect(stdout).toEqual([
    'ok   starts with: Write the article, with its sources.',
    'ok   checks the draft: Name a source',
    'ok   finds the run again after the store was closed',
    'ok   goes on when the editor approves, and is complete',
  ]);
});
