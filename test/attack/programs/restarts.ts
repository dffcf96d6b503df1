import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import { restartInTurn } from '../serving/rolling-restart.ts';
import { killWorkers } from '../serving/killed-workers.ts';

export const restarts: AttackProgram = {
  name: 'restarts',
  measures:
    'what clients of both eras notice while replicas on one Redis are restarted or killed; the time is that of the longest call',
  run: async (target) => {
    const [few, many] = target.isQuick ? [3, 40] : [30, 1000];
    return [
      await restart(few, 'SIGTERM', target),
      await restart(target.isQuick ? 3 : 50, 'SIGKILL', target),
      await killWorkers(many, target.isQuick ? 4 : 50, target),
    ];
  },
};

async function restart(count: number, signal: 'SIGTERM' | 'SIGKILL', target: Target): Promise<AttackRow> {
  const { calls, failures, longest, unclean } = await restartInTurn(count, target, signal);
  const lost = Object.entries(failures).map(([what, often]) => `${String(often)} × ${what}`);
  const ends = unclean.length === 0 ? '' : `; ended with ${unclean.join(', ')}`;
  const note = `${String(calls)} calls, ${lost.length === 0 ? 'none lost' : lost.join('; ')}${ends}`;
  return { name: `${String(count)} × ${signal}`, bytes: 0, milliseconds: longest, note };
}
