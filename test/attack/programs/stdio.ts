import type { AttackProgram } from '../attack.ts';
import { floodStdio } from '../floods/stdio-floods.ts';

export const stdio: AttackProgram = {
  name: 'stdio',
  measures: 'how long a flood on standard input takes until it is answered, and the memory that it took',
  run: floodStdio,
};
