import { expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, runExample } from '../support/example-process.ts';

test('the gateway offers a program and a server over HTTP, and its client finds both', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-'));
  const board = runExample('task-board/main.ts', [], { TASK_BOARD_FILE: join(directory, 'board.db') });
  const running = [board];
  try {
    const gateway = runExample('gateway/main.ts', [], { TASK_BOARD_URL: await addressOf(board) });
    running.push(gateway);
    const client = runExample('gateway/client.ts', [await addressOf(gateway)]);
    running.push(client);
    expect(await client.ended).toBe(0);
    expect(client.stderr).toEqual([]);
    expect(client.stdout.filter((line) => line.startsWith('ok   '))).toHaveLength(4);
    gateway.kill('SIGINT');
    expect([0, 'SIGINT']).toContain(await gateway.ended);
  } finally {
    for (const each of running) each.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await rm(directory, { recursive: true, force: true });
  }
});
