import { bullQueuesOn, type BullQueues, type BullQueuesOptions } from '../bullmq/bull-queues.ts';

/**
 * Queues of BullMQ 6 on Redis for the tasks of `@Action({ task: { queue } })`. The package `bullmq` is loaded when the
 * first task is put on a queue.
 *
 * @throws ToolwrightError TW_BACKPLANE_OPTION
 * @example
 * const queues = bullQueues({ connection: { host: '127.0.0.1', port: 6379 } });
 */
export function bullQueues(options: BullQueuesOptions): BullQueues {
  return bullQueuesOn('redis', options);
}
