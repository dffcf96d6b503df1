import 'reflect-metadata';
import { createTool, McpApplication, Module } from 'toolwright';
import { WAYS } from './ways.ts';

/** Prints how many bytes the heap grows by with each call, by the way that the calls come. */
const [ways, calls] = [process.argv[2]?.split(',') ?? [], Number(process.argv[3] ?? 100_000)];

/** What grows with the calls grows in all of them; what is made once does not. */
const WINDOWS = 5;

@Module({})
class EmptyModule {}

const echo = createTool('echo').action({ name: 'say', handler: () => 'hello' });

for (const way of ways) {
  const open = WAYS[way];
  if (open === undefined)
    throw new RangeError(`There is no way ${way}; there are: ${Object.keys(WAYS).join(', ')}`);
  // Each way may end its application.
  const app = await McpApplication.create(EmptyModule, { name: 'heap' });
  app.registry.register(echo);
  const { call, close } = await open(app);
  await repeat(call, calls / 5);
  const heaps = [heap()];
  for (let window = 0; window < WINDOWS; window += 1) {
    await repeat(call, calls / WINDOWS);
    heaps.push(heap());
  }
  const growths = heaps.slice(1).map((after, window) => after - heaps[window]!);
  await close();
  await app.close();
  process.stdout.write(
    `${JSON.stringify({ way, bytesPerCall: Math.min(...growths) / (calls / WINDOWS) })}\n`,
  );
}

async function repeat(call: () => Promise<unknown>, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const answer = JSON.stringify(await call());
    if (!answer.includes('hello')) throw new Error(`It was answered with ${answer}`);
    // What waits for the end of a turn has it.
    if (count % 1000 === 0) await new Promise(setImmediate);
  }
}

function heap(): number {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
