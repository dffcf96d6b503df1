import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports above these to a program that asks for any. */
const LOWEST = 15_000;
const COUNT = 17_000;

/** A free port that stays free when a server leaves it and comes back: no system gives it to others in between. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
