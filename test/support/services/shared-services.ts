import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { ADDRESS_VARIABLE } from './ask-service.ts';

/**
 * The services of one run of Jest: each is started when the first test file asks for it, serves all workers, and is
 * stopped at the end. A test file asks over HTTP, because workers are processes.
 */
export class SharedServices {
  readonly #script: string;
  readonly #answers = new Map<string, Promise<string>>();
  readonly #children: ChildProcess[] = [];
  readonly #server: Server;

  constructor(script: string) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1);
      const answer = this.#answers.get(name) ?? this.#run(name);
      this.#answers.set(name, answer);
      void answer.then((line) => response.end(line));
    });
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    process.env[ADDRESS_VARIABLE] = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const child of this.#children.splice(0)) {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }

  /** The line that the process of a service prints. */
  async #run(name: string): Promise<string> {
    const child = spawn(process.execPath, ['--import', '@oxc-node/core/register', this.#script, name], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Ctrl-C in a terminal reaches a whole group; it outlives that, and ends when its input does.
      detached: true,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#children.push(child);
    for await (const line of createInterface({ input: child.stdout })) return line;
    return JSON.stringify({ error: `${name} ended without an answer.` });
  }
}
