import type { AttackProgram } from '../attack.ts';
import { restartInTurn } from '../serving/rolling-restart.ts';

export const restarts: AttackProgram = {
  name: 'restarts',
  measures:
    'what clients of both eras notice while three replicas on one Redis are restarted in turn; the time is that of the longest call',
  run: async (target) => {
    const count = target.isQuick ? 3 : 30;
    const { calls, failures, longest, unclean } = await restartInTurn(count, target);
    const lost = Object.entries(failures).map(([what, often]) => `${String(often)} × ${what}`);
    const ends = unclean.length === 0 ? 'all ended with 0' : `ended with ${unclean.join(', ')}`;
    const note = `${String(calls)} calls, ${lost.length === 0 ? 'none lost' : lost.join('; ')}; ${ends}`;
    return [{ name: `${String(count)} restarts`, bytes: 0, milliseconds: longest, note }];
  },
};
