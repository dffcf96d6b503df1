import { setTimeout as wait } from 'node:timers/promises';

async function collectGarbage(): Promise<void> {
  // What finalizers let go of is gone after the second time only
  globalThis.gc?.();
  await wait(50);
  globalThis.gc?.();
}

/** Loaded before a measured server: reports its memory to the process that started it. */
process.on('message', (question: unknown) => {
  if (question !== 'now' && question !== 'settled') return;
  void (question === 'settled' ? collectGarbage() : Promise.resolve()).then(() => {
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heapUsed });
  });
});
// A server that nobody measures any more must not stay.
process.on('disconnect', () => process.exit());
