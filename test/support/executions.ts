import { Session } from 'node:inspector/promises';

/**
 * How many functions and blocks of a file are executed by the work, as V8 counts them: what a time is on a machine
 * that nobody shares.
 */
export async function executionsOf(file: string, work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // What was counted so far is forgotten with each reading
    await session.post('Profiler.takePreciseCoverage');
    work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ranges = result
      .filter(({ url }) => url.endsWith(file))
      .flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
