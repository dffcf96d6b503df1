import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { McpApplication } from 'toolwright';
import { QueueModule, Workshop } from './queue-module.ts';
import { sharedQueues } from './shared-queues.ts';

// A process that works on queues. It says what it does, and holds what it has begun until it is sent a line.
const [url = '', name = '', effects = '', holds = ''] = process.argv.slice(2);
const app = await McpApplication.create(QueueModule, sharedQueues(url, name));
const workshop = app.get(Workshop);
workshop.onEffect = (what) => {
  appendFileSync(effects, `${what}\n`);
};
let go = (): void => undefined;
const released = new Promise<void>((resolve) => {
  go = resolve;
});
createInterface({ input: process.stdin }).on('line', () => go());
workshop.hold = async (place) => {
  console.log(`holds ${place}`);
  if (holds === 'holds') await released;
};
await app.work();
console.log('works');
