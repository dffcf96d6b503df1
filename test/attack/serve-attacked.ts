import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { McpApplication } from 'toolwright';

type ListenOptions = Exclude<Parameters<McpApplication['listen']>[0], number | undefined>;

/** Serves an application in the attacked process, and answers its parent's questions about the process. */
export async function serveAttacked(
  app: McpApplication,
  options: Partial<ListenOptions> = {},
): Promise<void> {
  const { url } = await app.listen({ sessions: false, ...options, port: 0 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => {
    // a turn of the loop later, so that the attack itself has been counted
    setTimeout(() => {
      const held = delay.max / 1e6;
      const { user, system } = process.cpuUsage();
      globalThis.gc?.();
      const { heapUsed, rss } = process.memoryUsage();
      const handles = process.getActiveResourcesInfo().length;
      process.send?.({ held, processor: (user + system) / 1000, heapUsed, rss, handles });
      delay.reset();
    }, 5);
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ url });
}
