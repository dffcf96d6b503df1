import { setTimeout as after } from 'node:timers/promises';
import type { AttackedServer } from '../attacked-server.ts';
import type { Target } from '../attack.ts';

export const ORIGIN = 'https://desk.example';
const REPLICAS = 3;

/** When the process that answers a request is killed: before it gets it, while it works, or once it has answered. */
export type Moment = 'before' | 'during' | 'after';

/** Replicas of one application: each request goes to another one, and one of them is killed at a request of a plan. */
export class KilledReplicas implements AsyncDisposable {
  /** Names of steps whose answer was lost with the process. */
  readonly lost: string[] = [];
  changes = 0;
  kills = 0;
  readonly #serve: () => Promise<AttackedServer>;
  readonly #servers: (AttackedServer | undefined)[];
  readonly #starting = new Set<Promise<void>>();
  #turn = 0;
  #plan: { readonly step: number; readonly moment: Moment } | undefined;
  #step = 0;

  private constructor(serve: () => Promise<AttackedServer>, servers: readonly AttackedServer[]) {
    this.#serve = serve;
    this.#servers = [...servers];
  }

  static async start(
    { serve }: Pick<Target, 'serve'>,
    environment: NodeJS.ProcessEnv,
  ): Promise<KilledReplicas> {
    const start = (): Promise<AttackedServer> => serve('sign-in', { environment });
    // The first one makes the tables
    const servers = [await start()];
    servers.push(...(await Promise.all(Array.from({ length: REPLICAS - 1 }, start))));
    return new KilledReplicas(start, servers);
  }

  /** Counts requests from here on, and kills at one of them. */
  plan(step: number, moment: Moment): void {
    this.#step = 0;
    this.#plan = { step, moment };
  }

  unplan(): void {
    this.#plan = undefined;
  }

  readonly ask: typeof fetch = (async (input: string | URL, init?: RequestInit) => {
    const url = String(input);
    if (!url.startsWith(ORIGIN)) return fetch(url, init);
    this.#step += 1;
    const plan = this.#plan?.step === this.#step ? this.#plan : undefined;
    const index = await this.#next();
    if (plan?.moment === 'before') await this.#kill(index);
    const answer = await this.#send(plan?.moment === 'before' ? await this.#next() : index, url, init, plan);
    if (plan?.moment === 'after') await this.#kill(index);
    return answer;
  }) as typeof fetch;

  /** The URL of the endpoint of a replica that lives. */
  async endpoint(): Promise<string> {
    return this.#servers[await this.#next()]?.url ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#starting);
    for (const each of this.#servers) await each?.close();
  }

  /** A person reloads a page that did not come, and a client asks again. */
  async #send(
    index: number,
    url: string,
    init: RequestInit | undefined,
    plan?: { moment: Moment },
  ): Promise<Response> {
    const target = url.replace(ORIGIN, new URL(this.#servers[index]?.url ?? '').origin);
    const sent = fetch(target, { ...init, redirect: 'manual' });
    if (plan?.moment !== 'during') return sent;
    const answered = sent.then(
      async (answer) => new Response(await answer.arrayBuffer(), answer),
      () => undefined,
    );
    await after(Math.random() * 25);
    await this.#kill(index);
    const answer = await answered;
    if (answer !== undefined) return answer;
    this.lost.push(stepAt(url));
    return this.#send(await this.#next(), url, init);
  }

  /** Another one than before. */
  async #next(): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      this.#turn = (this.#turn + 1) % REPLICAS;
      if (this.#servers[this.#turn] !== undefined) break;
      if (tries >= REPLICAS) await Promise.race(this.#starting);
    }
    this.changes += 1;
    return this.#turn;
  }

  async #kill(index: number): Promise<void> {
    const server = this.#servers[index];
    this.#servers[index] = undefined;
    this.kills += 1;
    await server?.close();
    const starting = this.#serve().then((started) => {
      this.#servers[index] = started;
      this.#starting.delete(starting);
    });
    this.#starting.add(starting);
  }
}

/** What a request is in a sign-in. */
export function stepAt(url: string): string {
  const { pathname } = new URL(url);
  if (/^\/authorize\/./.test(pathname)) return 'resume';
  const last = pathname.split('/').at(-1) ?? '';
  return /^[\w-]{20,}$/.test(last) ? 'page' : last;
}
