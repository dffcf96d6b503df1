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
  /** How many requests were acknowledged before. */
  readonly acknowledged: number;
  readonly milliseconds: number;
}

/** Mostly while it appends, however long that takes; at times while it starts and opens the store. */
function moment(random: Random): Moment {
  return random.chance(0.2)
    ? { acknowledged: 0, milliseconds: random.below(500) }
    : { acknowledged: 1 + random.below(10), milliseconds: random.below(10) };
}

/** Runs a program and ends it, as a power switch does, at a random moment. */
export async function killChild(program: string, args: readonly string[], random: Random): Promise<Killed> {
  const killing = moment(random);
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const acknowledged: number[] = [];
  const errors: string[] = [];
  const killSoon = () => {
    if (acknowledged.length === killing.acknowledged) {
      setTimeout(() => child.kill('SIGKILL'), killing.milliseconds);
    }
  };
  killSoon();
  child.stderr.on('data', (text: Buffer) => errors.push(text.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(Number(line));
    killSoon();
  });
  await once(child, 'close');
  return { acknowledged, errors: errors.join('') };
}
