import type { AttackProgram } from '../attack.ts';
import { floodWire } from '../floods/wire-floods.ts';

export const wire: AttackProgram = {
  name: 'wire',
  measures:
    'how long a harmless call takes after a flood below the protocol, in milliseconds, and what the flood left',
  run: floodWire,
};
