import { loadOverHttp, type LoadResult } from '../load/http-load.ts';
import type { HttpCall } from '../load/http-call.ts';
import { ServerProcess, type ServerProgram } from '../processes/server-process.ts';
import type { SectionContext } from '../results/section.ts';
import type { Rounds } from '../results/rounds.ts';
import { takeTurns, type Side } from '../results/take-turns.ts';
import { callOnce } from './call-once.ts';

export interface HttpRace {
  /** Without these the race makes no sense. */
  readonly required: readonly ServerProgram[];
  readonly peers: readonly ServerProgram[];
  /** The calls of the clients, made for a server that has started. */
  readonly callsOf: (url: URL) => Promise<readonly HttpCall[]>;
  /** @throws Error for the result of a server that does something else. */
  readonly verify: (result: Readonly<Record<string, unknown>>) => void;
  readonly mark: string;
}

export interface RaceOutcome {
  /** Without those that failed. */
  readonly rounds: Rounds;
  /** Who was not there until the end, and why. */
  readonly failures: ReadonlyMap<string, string>;
  /** The largest share of the time in which the clients were busy. */
  readonly clientShare: number;
}

/** Starts a process for every server, checks their answers, warms them up, and lets them take turns. */
export async function raceHttp(race: HttpRace, context: SectionContext): Promise<RaceOutcome> {
  const runners = new Runners(race, context);
  try {
    await runners.start();
    await runners.warmUp();
    const references = race.required.map(({ name }) => name);
    const rounds = await takeTurns(runners.sides(), references, context);
    const { failures, clientShare } = runners;
    const finished = rounds.map((take) => new Map([...take].filter(([name]) => !failures.has(name))));
    return { rounds: finished, failures, clientShare };
  } finally {
    await runners.stop();
  }
}

class Runners {
  readonly failures = new Map<string, string>();
  clientShare = 0;
  readonly #race: HttpRace;
  readonly #context: SectionContext;
  #servers: readonly ServerProcess[] = [];
  readonly #calls = new Map<string, readonly HttpCall[]>();

  constructor(race: HttpRace, context: SectionContext) {
    this.#race = race;
    this.#context = context;
  }

  /** All at once, because each of them mostly waits for files. */
  async start(): Promise<void> {
    const programs = [...this.#race.required, ...this.#race.peers];
    this.#context.progress(`starting ${programs.map(({ name }) => name).join(', ')}`);
    const starts = programs.map(async (program) => {
      try {
        return await ServerProcess.start(program);
      } catch (error) {
        return this.#miss(program.name, error);
      }
    });
    const settled = await Promise.allSettled(starts);
    this.#servers = settled.flatMap((start) => (start.status === 'fulfilled' ? (start.value ?? []) : []));
    // Only now, so that those that did start are stopped.
    await Promise.all(starts);
  }

  async warmUp(): Promise<void> {
    const { progress, warmUp } = this.#context;
    for (const server of this.#servers) {
      progress(`warm-up of ${server.name}`);
      await this.#attempt(server.name, async () => {
        const calls = await this.#race.callsOf(server.url);
        this.#calls.set(server.name, calls);
        this.#race.verify(await callOnce(server.url, calls[0] as HttpCall));
        return (await this.#load(server, warmUp)).rate;
      });
    }
  }

  sides(): readonly Side[] {
    const ready = this.#servers.filter(({ name }) => !this.failures.has(name));
    const { window } = this.#context;
    return ready.map((server) => ({
      name: server.name,
      measure: () => this.#attempt(server.name, () => this.#measure(server, window)),
    }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  #load({ name, url }: ServerProcess, window: number): Promise<LoadResult> {
    const calls = this.#calls.get(name) ?? [];
    return loadOverHttp(url, { calls, mark: this.#race.mark, window });
  }

  async #measure(server: ServerProcess, window: number): Promise<number> {
    const { rate, clientShare } = await this.#load(server, window);
    this.clientShare = Math.max(this.clientShare, clientShare);
    return rate;
  }

  /** A peer that fails once is out. */
  async #attempt(name: string, step: () => Promise<number>): Promise<number> {
    if (this.failures.has(name)) return Number.NaN;
    try {
      return await step();
    } catch (error) {
      this.#miss(name, error);
      return Number.NaN;
    }
  }

  /** @throws the error of a server that the race makes no sense without */
  #miss(name: string, error: unknown): undefined {
    if (this.#race.required.some((program) => program.name === name)) throw error;
    this.failures.set(name, (error as Error).message);
  }
}
