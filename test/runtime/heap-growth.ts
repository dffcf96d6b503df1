import 'reflect-metadata';
import { createTool, McpApplication, Module } from '../../src/index.ts';

/** Prints how many bytes the heap grows by with each call, by the way that the calls come. */
const [ways, calls] = [process.argv[2]?.split(',') ?? [], Number(process.argv[3] ?? 100_000)];

/** What grows with the calls grows in all of them; what is made once does not. */
const WINDOWS = 3;

@Module({})
class EmptyModule {}

type Handler = (request: object, extra: object) => Promise<unknown>;

const app = await McpApplication.create(EmptyModule, { name: 'heap' });
app.registry.register(createTool('echo').action({ name: 'say', handler: () => 'hello' }));
const handlers = new Map<unknown, Handler>();
const server = {
  setRequestHandler: (method: unknown, handler: Handler) => {
    if (typeof method !== 'string') throw new TypeError('a schema');
    handlers.set(method, handler);
  },
};
app.attach(server);
const stop = new AbortController();
const args = { action: 'say' };
const params = { name: 'echo', arguments: args };

const CALLS: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
  call: () => app.call('echo', args),
  'call-with-signal': () => app.call('echo', args, { signal: stop.signal }),
  attach: () => handlers.get('tools/call')?.({ params }, { signal: new AbortController().signal }),
};

for (const way of ways) {
  const call = CALLS[way];
  if (call === undefined) throw new Error(`There is no way ${way}`);
  await repeat(call, calls / 5);
  const windows: number[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    const before = heap();
    await repeat(call, calls / WINDOWS);
    windows.push((heap() - before) / (calls / WINDOWS));
  }
  process.stdout.write(`${JSON.stringify({ way, bytesPerCall: Math.min(...windows) })}\n`);
}
await app.close();

async function repeat(call: () => Promise<unknown> | undefined, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await call();
    // What waits for the end of a turn has it.
    if (count % 1000 === 0) await new Promise(setImmediate);
  }
}

function heap(): number {
  for (let turn = 0; turn < 4; turn += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
