import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkQueue } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  eventually,
  ODD_KEYS,
  portConformance,
  soon,
  type MakePort,
  type PortCases,
  type Trial,
} from './trial.ts';

/** Milliseconds after which a worker has taken what it takes. */
const A_WHILE = 50;

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `task-${String(index)}`);

/** Tasks that run until they are let go. */
class Gate {
  readonly begun: string[] = [];
  most = 0;
  #running = 0;
  #open: () => void = () => undefined;
  readonly #opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  readonly run = async (taskId: string): Promise<void> => {
    this.begun.push(taskId);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await this.#opened;
    this.#running -= 1;
  };

  get running(): number {
    return this.#running;
  }

  open(): void {
    this.#open();
  }
}

/** Works on a queue until all tasks have run; fails for a task that runs twice. */
async function expectOnce(
  trial: Trial<WorkQueue>,
  queue: string,
  ran: readonly string[],
  expected: readonly string[],
): Promise<void> {
  await eventually(trial, `all tasks of ${JSON.stringify(queue)} run`, () => ran.length >= expected.length);
  await sleep(A_WHILE);
  assert.deepEqual([...ran].sort(), [...expected].sort());
}

const CASES: PortCases<WorkQueue> = {
  async 'gives each task to one worker, once'(trial) {
    const { port, second } = trial;
    const ran: string[] = [];
    const run = async (taskId: string): Promise<void> => {
      ran.push(taskId);
      await sleep(1);
    };
    const tasks = numbered(30);
    for (const taskId of tasks.slice(0, 10)) await port.add('a', taskId);
    const stops = [
      await port.work('a', run, { concurrency: 3 }),
      await (await second()).work('a', run, { concurrency: 3 }),
    ];
    await Promise.all(tasks.slice(10).map(async (taskId) => port.add('a', taskId)));
    await expectOnce(trial, 'a', ran, tasks);
    for (const stop of stops) await soon(trial, 'a worker stops', stop());
  },
  async 'gives tasks in the order in which they were added'(trial) {
    const tasks = numbered(10);
    const ran: string[] = [];
    for (const taskId of tasks) await (await trial.second()).add('a', taskId);
    const stop = await trial.port.work('a', async (taskId) => void ran.push(taskId), { concurrency: 1 });
    await eventually(trial, 'all tasks run', () => ran.length >= tasks.length);
    assert.deepEqual(ran, tasks);
    await soon(trial, 'the worker stops', stop());
  },
  async 'has a task once that is added twice, waiting or running'(trial) {
    const gate = new Gate();
    await trial.port.add('a', 'task');
    await (await trial.second()).add('a', 'task');
    const stop = await trial.port.work('a', gate.run, { concurrency: 5 });
    await eventually(trial, 'the task runs', () => gate.begun.length > 0);
    await trial.port.add('a', 'task');
    await sleep(A_WHILE);
    assert.deepEqual(gate.begun, ['task']);
    gate.open();
    await soon(trial, 'the worker stops', stop());
    assert.deepEqual(gate.begun, ['task']);
  },
  async 'runs as many tasks at the same time as the worker may, and no more'(trial) {
    const gate = new Gate();
    for (const taskId of numbered(8)) await trial.port.add('a', taskId);
    const stop = await trial.port.work('a', gate.run, { concurrency: 3 });
    await eventually(trial, 'three tasks run at the same time', () => gate.running >= 3);
    await sleep(A_WHILE);
    assert.equal(gate.running, 3);
    gate.open();
    await eventually(trial, 'the others run', () => gate.begun.length >= 8);
    assert.equal(gate.most, 3);
    await soon(trial, 'the worker stops', stop());
  },
  async 'lets a worker end what it runs before it stops, and leaves the rest to others'(trial) {
    const gate = new Gate();
    for (const taskId of numbered(4)) await trial.port.add('a', taskId);
    const stop = await trial.port.work('a', gate.run, { concurrency: 1 });
    await eventually(trial, 'a task runs', () => gate.begun.length > 0);
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await sleep(A_WHILE);
    assert.ok(!isStopped, 'it stopped while a task was running');
    gate.open();
    await soon(trial, 'the worker stops', stopping);
    await sleep(A_WHILE);
    assert.deepEqual(gate.begun, ['task-0'], 'a worker that stops takes no further task');
    const rest: string[] = [];
    const other = await (
      await trial.second()
    ).work('a', async (taskId) => void rest.push(taskId), {
      concurrency: 1,
    });
    await expectOnce(trial, 'a', rest, ['task-1', 'task-2', 'task-3']);
    await soon(trial, 'the other worker stops', other());
  },
  async 'goes on after a task that rejects, which does not come again'(trial) {
    const ran: string[] = [];
    const run = async (taskId: string): Promise<void> => {
      ran.push(taskId);
      if (taskId === 'task-1') throw new Error('a task that rejects');
    };
    for (const taskId of numbered(4)) await trial.port.add('a', taskId);
    const stop = await trial.port.work('a', run, { concurrency: 1 });
    await expectOnce(trial, 'a', ran, numbered(4));
    await soon(trial, 'the worker stops', stop());
  },
  async 'keeps queues apart, and has their tasks until somebody works on them'(trial) {
    const ran = new Map<string, string[]>(ODD_KEYS.map((queue) => [queue, []]));
    for (const queue of ODD_KEYS) await trial.port.add(queue, 'task');
    const stops = ODD_KEYS.map(async (queue) =>
      trial.port.work(queue, async (taskId) => void ran.get(queue)?.push(taskId), { concurrency: 1 }),
    );
    for (const [queue, tasks] of ran) {
      await eventually(trial, `the task of ${JSON.stringify(queue.slice(-9))} runs`, () => tasks.length > 0);
    }
    for (const tasks of ran.values()) assert.deepEqual(tasks, ['task']);
    await Promise.all(stops.map(async (stop) => (await stop)()));
  },
};

/**
 * What every {@link WorkQueue} has to do, as cases for any test runner. That another process gets the tasks of one that
 * was killed needs a process that is killed, and a test of your own.
 *
 * @example
 * for (const { name, run } of workQueueConformance(() => ({ port: new InMemoryWorkQueue() }))) test(name, run);
 */
export function workQueueConformance(make: MakePort<WorkQueue>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
