import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import type { AttackedServer } from '../attacked-server.ts';

/** Milliseconds between two looks at `/readyz`. */
const LOOK = 100;

/** A process that is ended and started again. One that serves is asked for its health, as a load balancer does. */
export class RestartedProcess {
  isDown = false;
  /** How it ended where nothing here ended it. */
  readonly crashes: string[] = [];
  readonly #start: () => Promise<AttackedServer>;
  #server: AttackedServer;
  #isClosed = false;
  #isEnding = false;

  private constructor(start: () => Promise<AttackedServer>, server: AttackedServer) {
    this.#start = start;
    this.#server = server;
    this.#noticeEnd();
    if (server.url !== '') void this.#watch();
  }

  static async start(start: () => Promise<AttackedServer>): Promise<RestartedProcess> {
    return new RestartedProcess(start, await start());
  }

  /** Empty for one that serves nothing. */
  get url(): string {
    return this.#server.url;
  }

  /** @returns its exit code, or the signal that ended it */
  async restart(by: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    const { process: child } = this.#server;
    this.#isEnding = true;
    const ended = once(child, 'exit');
    if (child.kill(by)) await ended;
    this.isDown = this.url !== '';
    this.#server = await this.#start();
    this.#noticeEnd();
    while (this.isDown) await after(LOOK);
    return child.exitCode ?? child.signalCode ?? 'unknown';
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isEnding = true;
    await this.#server.close();
  }

  #noticeEnd(): void {
    const { process: child, errors } = this.#server;
    this.#isEnding = false;
    child.once('exit', (code, signal) => {
      if (!this.#isEnding) this.crashes.push(`${String(code ?? signal)}: ${errors()}`);
    });
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed) {
      const { url } = this;
      const isReady = await fetch(new URL('/readyz', url)).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (url === this.url) this.isDown = !isReady;
      await after(LOOK);
    }
  }
}
