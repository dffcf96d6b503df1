import { roundRobin, type RoundRobin } from '../../support/round-robin.ts';
import { RestartedProcess } from '../serving/restarted-process.ts';
import type { AttackedServer, ServeOptions } from '../attacked-server.ts';

const REPLICAS = 3;
const WORKERS = 2;

/** Starts one process of the shop, again after each fault. @param index of the process in the cluster */
export type ServeShop = (options: ServeOptions, index: number) => Promise<AttackedServer>;

/** Replicas behind a proxy and workers, each in a process of its own. */
export class Cluster implements AsyncDisposable {
  readonly processes: readonly RestartedProcess[];
  readonly #proxy: RoundRobin;

  private constructor(processes: readonly RestartedProcess[], proxy: RoundRobin) {
    this.processes = processes;
    this.#proxy = proxy;
  }

  static async start(serve: ServeShop, environment: NodeJS.ProcessEnv): Promise<Cluster> {
    const start = (SHOP_ROLE: string, index: number): Promise<RestartedProcess> =>
      RestartedProcess.start(() => serve({ environment: { ...environment, SHOP_ROLE } }, index));
    // The first one makes the tables
    const first = await start('worker', REPLICAS + WORKERS - 1);
    const roles = [...Array<string>(REPLICAS).fill('replica'), ...Array<string>(WORKERS - 1).fill('worker')];
    const processes = [...(await Promise.all(roles.map(start))), first];
    const proxy = await roundRobin(
      processes.filter(({ url }) => url !== ''),
      true,
    );
    return new Cluster(processes, proxy);
  }

  get url(): string {
    return this.#proxy.url;
  }

  /** Those that ended though nobody ended them, each with what it wrote last. */
  get crashes(): readonly string[] {
    return this.processes.flatMap(({ crashes }) => crashes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy.close();
    await Promise.all(this.processes.map((each) => each.close()));
  }
}
