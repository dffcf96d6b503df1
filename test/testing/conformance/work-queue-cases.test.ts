import { InMemoryWorkQueue, type WorkQueue } from 'toolwright';
import { workQueueConformance } from 'toolwright/testing';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { testKit, type Broken } from '../../support/kit.ts';

const working =
  (change: (concurrency: number) => number): Broken<WorkQueue> =>
  (queue) => ({
    work: (name, run, { concurrency }) => queue.work(name, run, { concurrency: change(concurrency) }),
  });
const adding =
  (change: (taskId: string, count: number) => readonly string[]): Broken<WorkQueue> =>
  (queue) => {
    let count = 0;
    return {
      add: async (name, taskId) => {
        count += 1;
        for (const each of change(taskId, count)) await queue.add(name, each);
      },
    };
  };
const ofQueues =
  (change: (queue: string) => string): Broken<WorkQueue> =>
  (queue) => ({
    add: (name, taskId) => queue.add(change(name), taskId),
    work: (name, run, options) => queue.work(change(name), run, options),
  });

/** Each time a task is added it is another one. */
const forgetful: Broken<WorkQueue> = (queue) => {
  let count = 0;
  return {
    add: (name, taskId) => {
      count += 1;
      return queue.add(name, `${taskId}#${String(count)}`);
    },
    work: (name, run, options) => queue.work(name, (each) => run(each.replace(/#.*/, '')), options),
  };
};

testKit<WorkQueue>({
  cases: workQueueConformance,
  make: () => new InMemoryWorkQueue(new MemoryLogger()),
  broken: {
    'gives each task to one worker, once': {
      'gives a task twice': (queue) => ({
        work: (name, run, options) =>
          queue.work(
            name,
            async (taskId) => {
              await run(taskId);
              if (taskId === 'task-7') await run(taskId);
            },
            options,
          ),
      }),
      'loses a task': adding((taskId, count) => (count === 17 ? [] : [taskId])),
      'loses what was added before somebody works': (queue) => {
        let isWorking = false;
        return {
          add: async (name, taskId) => {
            if (isWorking) await queue.add(name, taskId);
          },
          work: (name, run, options) => {
            isWorking = true;
            return queue.work(name, run, options);
          },
        };
      },
    },
    'gives tasks in the order in which they were added': {
      'gives the last one first': (queue) => {
        const waiting: string[] = [];
        return {
          add: async (_name, taskId) => void waiting.unshift(taskId),
          work: async (name, run, options) => {
            for (const taskId of waiting) await queue.add(name, taskId);
            return queue.work(name, run, options);
          },
        };
      },
    },
    'has a task once that is added twice, waiting or running': {
      'does not look for it': forgetful,
      'looks at those that wait alone': (queue) => {
        const waiting = new Set<string>();
        const inner = forgetful(queue, { now: Date.now, pass: () => undefined });
        return {
          add: async (name, taskId) => {
            if (waiting.has(taskId)) return;
            waiting.add(taskId);
            await inner.add?.(name, taskId);
          },
          work: async (name, run, options) => {
            const stop = await inner.work?.(
              name,
              (taskId) => {
                waiting.delete(taskId);
                return run(taskId);
              },
              options,
            );
            return stop ?? (async () => undefined);
          },
        };
      },
    },
    'runs as many tasks at the same time as the worker may, and no more': {
      'runs one at a time': working(() => 1),
      'runs one more': working((concurrency) => concurrency + 1),
    },
    'lets a worker end what it runs before it stops, and leaves the rest to others': {
      'stops while a task is running': (queue) => ({
        work: async (...work) => {
          const stop = await queue.work(...work);
          return async () => void stop();
        },
      }),
      'does not stop': (queue) => ({
        work: async (name, run, options) => {
          let running: Promise<void> = Promise.resolve();
          await queue.work(name, (taskId) => (running = run(taskId)), options);
          return () => running;
        },
      }),
      'takes the rest with it': (queue) => {
        let isStopped = false;
        return {
          work: async (name, run, options) => {
            const stop = await queue.work(
              name,
              (task) => (isStopped ? Promise.resolve() : run(task)),
              options,
            );
            return () => {
              isStopped = true;
              return stop();
            };
          },
        };
      },
    },
    'goes on after a task that rejects, which does not come again': {
      'tries it again': (queue) => ({
        work: (name, run, options) =>
          queue.work(name, (taskId) => run(taskId).catch(() => run(taskId)), options),
      }),
      'stops working': (queue) => ({
        work: (name, run, options) =>
          queue.work(name, (taskId) => run(taskId).catch(() => new Promise<void>(() => undefined)), options),
      }),
    },
    'keeps queues apart, and has their tasks until somebody works on them': {
      'does not look at the letter case': ofQueues((queue) => queue.toLowerCase()),
      'cuts long names': ofQueues((queue) => queue.slice(0, 100)),
    },
  },
});
