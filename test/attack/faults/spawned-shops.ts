import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StdioClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connectVersion1 } from '../../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../../support/connections/client-of-version-2.ts';
import type { AttackRow, Target } from '../attack.ts';
import { keepLog, linesOf, shopDuring } from './run-faults.ts';
import { Shopper, type ConnectShopper } from './shopper.ts';
import { tally } from './tally.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const CLIENTS = 4;
/** Milliseconds of calls before a fault, at most. */
const PAUSE = 2000;
/** Milliseconds in which a server ends whose client has left. */
const LEAVING = 10_000;

export interface SpawnedRun {
  readonly name: string;
  readonly store: string;
  readonly count: number;
  /** How the application is served: by itself, or attached to a server of SDK v1. */
  readonly role: 'stdio' | 'attached';
  /** What breaks while all clients are served. Default: the server of a client is killed. */
  readonly fault?: () => Promise<undefined>;
}

/** Clients that start their servers themselves, on one store with a worker. */
export async function runSpawned(run: SpawnedRun, target: Target): Promise<AttackRow> {
  const folder = await mkdtemp(join(tmpdir(), 'spawned-'));
  const [effects, log] = [join(folder, 'effects'), join(folder, 'log')];
  await Promise.all([writeFile(effects, ''), writeFile(log, '')]);
  const environment = { SHOP_STORE: run.store, SHOP_EFFECTS: effects, SHOP_LOG: log };
  const worker = await target.serve('shop', { environment: { ...environment, SHOP_ROLE: 'worker' } });
  const servers = new SpawnedServers(target.build, { ...environment, SHOP_ROLE: run.role });
  try {
    const shoppers = Array.from(
      { length: CLIENTS },
      // SDK v1, to which the application is attached, knows 2025 alone
      (_, index) => new Shopper(servers.connect, index % 2 === 0 || run.role === 'attached'),
    );
    const kill = async (): Promise<undefined> => {
      await appendFile(log, `killed stdio-${String(servers.killOne())}\n`);
    };
    const fault = async (): Promise<undefined> => {
      await servers.waitForAll();
      await after(PAUSE * Math.random());
      await (run.fault ?? kill)();
    };
    const faults = { ...run, fault };
    const { ends } = await shopDuring(shoppers, faults, servers, target);
    const left = await servers.waitForEnds();
    const crashes = left === 0 ? [] : [`${String(left)} servers go on without their client`];
    const lines = { effects: await linesOf(effects), log: await linesOf(log) };
    const { text, faults: broken } = tally({ ends, ...lines, crashes });
    if (broken.length > 0) target.progress(await keepLog(run.name, broken, await readFile(log, 'utf8')));
    const longest = Math.max(...ends.map(({ milliseconds }) => milliseconds));
    const note = `${String(servers.count)} servers; ${text}`;
    return { name: run.name, bytes: 0, milliseconds: longest, note, fault: broken[0] };
  } finally {
    servers.killAll();
    await worker.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The servers that clients have started. */
class SpawnedServers {
  readonly #pids = new Set<number>();
  readonly #parameters: { command: string; args: string[]; env: Record<string, string>; cwd: string };
  #killed = 0;

  constructor(build: string, environment: Readonly<Record<string, string>>) {
    const register = ['--import', '@oxc-node/core/register', '--import', './redirect.mjs'];
    this.#parameters = {
      command: process.execPath,
      args: ['--no-warnings', ...register, join(HERE, 'servers', 'shop.ts')],
      cwd: HERE,
      env: {
        ...{ PATH: process.env['PATH'] ?? '', NODE_ENV: 'test', ...environment },
        ATTACKED_PACKAGE: pathToFileURL(join(build, 'package.json')).href,
      },
    };
  }

  get count(): number {
    return this.#pids.size;
  }

  readonly connect: ConnectShopper = async (isVersion1, options) => {
    const parameters = { ...this.#parameters, stderr: 'ignore' as const };
    const transport = isVersion1 ? new StdioClientTransport(parameters) : new TransportOfVersion2(parameters);
    const client = isVersion1
      ? connectVersion1(transport, options)
      : connectVersion2(transport, '2026', options);
    return client.finally(() => {
      if (transport.pid !== null) this.#pids.add(transport.pid);
    });
  };

  /** Waits until each client has a server. */
  async waitForAll(): Promise<void> {
    while ([...this.#pids].filter(isRunning).length < CLIENTS) await after(100);
  }

  /** @returns the process */
  killOne(): number | undefined {
    const running = [...this.#pids].filter(isRunning);
    const pid = running[this.#killed % Math.max(1, running.length)];
    this.#killed += 1;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    return pid;
  }

  killAll(): void {
    for (const pid of [...this.#pids].filter(isRunning)) process.kill(pid, 'SIGKILL');
  }

  /** @returns how many go on although their clients have left */
  async waitForEnds(): Promise<number> {
    const until = performance.now() + LEAVING;
    while ([...this.#pids].some(isRunning) && performance.now() < until) await after(100);
    return [...this.#pids].filter(isRunning).length;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
