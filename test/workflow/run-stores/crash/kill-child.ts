import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Random } from '../../../support/random.ts';

export interface Killed {
  /** The requests that were acknowledged, in the order of the acknowledgements. */
  readonly acknowledged: readonly number[];
  readonly errors: string;
}

interface Moment {
  readonly from: 'spawn' | 'ready';
  readonly milliseconds: number;
}

/** Mostly while it appends, at times while it starts and opens the store. */
function moment(random: Random): Moment {
  return random.chance(0.2)
    ? { from: 'spawn', milliseconds: random.below(500) }
    : { from: 'ready', milliseconds: random.below(60) };
}

/** Runs a program and ends it, as a power switch does, at a random moment. */
export async function killChild(program: string, args: readonly string[], random: Random): Promise<Killed> {
  const { from, milliseconds } = moment(random);
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const acknowledged: number[] = [];
  const errors: string[] = [];
  const killSoon = () => setTimeout(() => child.kill('SIGKILL'), milliseconds);
  if (from === 'spawn') killSoon();
  child.stderr.on('data', (text: Buffer) => errors.push(text.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== 'ready') acknowledged.push(Number(line));
    else if (from === 'ready') killSoon();
  });
  await once(child, 'close');
  return { acknowledged, errors: errors.join('') };
}
