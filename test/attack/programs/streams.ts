import type { AttackProgram } from '../attack.ts';
import { holdStreams, shareStreams } from '../floods/stream-floods.ts';

export const streams: AttackProgram = {
  name: 'streams',
  measures:
    'how long one change takes to reach every stream that is held open, and what each person may hold',
  run: async (target) => [...(await holdStreams(target)), ...(await shareStreams(target))],
};
