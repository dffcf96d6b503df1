import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttackRow, Target } from '../attack.ts';
import { Cluster, type ServeShop } from './cluster.ts';
import { connectOverHttp, Shopper, type CallEnd } from './shopper.ts';
import { tally, type Tally } from './tally.ts';

const CLIENTS = 10;

export interface FaultyRun {
  readonly name: string;
  readonly store: string;
  readonly count: number;
  /** When a call counts as hung, in milliseconds. Default: 20 s. */
  readonly timeout?: number;
  /** Default: all processes are alike. */
  readonly serve?: ServeShop;
  /** Breaks something, and waits until it is whole again. Gives what went wrong with that. */
  readonly fault: (cluster: Cluster, index: number) => Promise<string | undefined>;
}

export interface FaultyRunResult extends Tally {
  /** Of a call, in milliseconds. */
  readonly longest: number;
  /** The log of all processes. */
  readonly log: string;
}

/** Ten clients call while one fault comes after the other. */
export async function runFaults(
  run: FaultyRun,
  target: Pick<Target, 'serve' | 'progress'>,
): Promise<FaultyRunResult> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  const [effects, log] = [join(folder, 'effects'), join(folder, 'log')];
  await Promise.all([writeFile(effects, ''), writeFile(log, '')]);
  try {
    const { serve = (options) => target.serve('shop', options) } = run;
    await using cluster = await Cluster.start(serve, {
      ...{ SHOP_STORE: run.store, SHOP_EFFECTS: effects, SHOP_LOG: log },
    });
    const shoppers = Array.from(
      { length: CLIENTS },
      (_, index) => new Shopper(connectOverHttp(cluster.url), index % 2 === 0, run.timeout),
    );
    const { ends, unclean } = await shopDuring(shoppers, run, cluster, target);
    const counted = tally({
      ends,
      effects: await linesOf(effects),
      log: await linesOf(log),
      crashes: [...cluster.crashes, ...unclean],
    });
    const longest = Math.max(...ends.map(({ milliseconds }) => milliseconds));
    return { ...counted, longest, log: await readFile(log, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row of the table. It reports what must not have happened, and keeps the log then. */
export async function runFaultyRow(run: FaultyRun, target: Target): Promise<AttackRow> {
  const { text, faults, longest, log } = await runFaults(run, target);
  if (faults.length > 0) {
    // The table is of use, too; so it does not end here
    process.exitCode = 1;
    target.progress(await keepLog(run.name, faults, log));
  }
  return { name: run.name, bytes: 0, milliseconds: longest, note: text };
}

/** @returns what happened, and where the log of it is */
export async function keepLog(name: string, faults: readonly string[], log: string): Promise<string> {
  const file = join(tmpdir(), `${name.replaceAll(/\W+/gu, '-')}.log`);
  await writeFile(file, log);
  return [`${name} must not have, see ${file}:`, ...faults].join('\n  ');
}

interface Faults<Broken> {
  readonly name: string;
  readonly count: number;
  readonly fault: (broken: Broken, index: number) => Promise<string | undefined>;
}

/** Clients call while one fault comes after the other. */
export async function shopDuring<Broken>(
  shoppers: readonly Shopper[],
  { name, count, fault }: Faults<Broken>,
  broken: Broken,
  { progress }: Pick<Target, 'progress'>,
): Promise<{ readonly ends: readonly CallEnd[]; readonly unclean: readonly string[] }> {
  let isOver = false;
  const shopping = shoppers.map((shopper) => shopper.shop(() => isOver));
  const unclean: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const wrong = await fault(broken, index);
    if (wrong !== undefined) unclean.push(wrong);
    const calls = shoppers.reduce((sum, { ends }) => sum + ends.length, 0);
    progress(`${name}: ${String(index + 1)} of ${String(count)}, ${String(calls)} calls`);
  }
  isOver = true;
  await Promise.all(shopping);
  return { ends: shoppers.flatMap(({ ends }) => ends), unclean };
}

export async function linesOf(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}
