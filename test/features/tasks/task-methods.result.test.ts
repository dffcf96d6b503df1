import { expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { taskResult } from '../../../src/features/tasks/task-methods.ts';
import { LocalOrigin } from '../../../src/runtime/local-calls.ts';
import { taskBench } from '../../support/running-tasks.ts';

test('a client that no longer waits for the result of its task is not a failure of the server', async () => {
  const { begin, tasks } = taskBench();
  const running = begin();
  await running.start();
  const gone = new AbortController();
  const exchange = new LocalOrigin('1', { signal: gone.signal });
  const waiting = taskResult(tasks, [running.taskId, undefined], exchange, new Set());
  gone.abort();
  const error: unknown = await waiting.catch((thrown: unknown) => thrown);
  // Everything else is logged as an error.
  expect(ProtocolError.is(error)).toBe(true);
  expect(error).toMatchObject({ data: { code: 'CANCELLED' } });
});
