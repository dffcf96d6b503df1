import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { startServer } from '../attack/attacked-server.ts';
import { restartInTurn } from '../attack/serving/rolling-restart.ts';

const BUILD = fileURLToPath(new URL('../..', import.meta.url));

test('three replicas that are restarted in turn lose no call of either era', async () => {
  const { calls, failures, unclean } = await restartInTurn(3, {
    serve: (name, options) => startServer(BUILD, name, options),
    progress: () => undefined,
  });
  expect([failures, unclean]).toEqual([{}, []]);
  expect(calls).toBeGreaterThan(30);
});
