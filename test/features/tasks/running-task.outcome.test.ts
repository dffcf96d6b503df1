import { expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { taskBench, Work } from '../../support/running-tasks.ts';

test('a task fails without the data of its error where JSON does not carry them', async () => {
  for (const data of [{ size: 1n }, { toJSON: () => undefined }]) {
    const { begin, tasks } = taskBench();
    const running = begin();
    const work = new Work();
    await running.start();
    await running.run(work.run);
    work.fail(new ProtocolError(-32001, 'cut', data));
    await running.ended;
    const { status, outcome } = await tasks.find(running.taskId, undefined);
    expect({ status, outcome }).toEqual({
      status: 'failed',
      outcome: { kind: 'error', error: { code: -32001, message: 'cut' } },
    });
  }
});
