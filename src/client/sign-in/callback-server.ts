import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { within } from '../../shared/platform.ts';

const PATH = '/callback';

/** Waits on this machine for the browser that comes back from an authorization server (RFC 8252, 7.3). */
export class CallbackServer {
  readonly url: string;
  readonly #server;
  readonly #came: Promise<URLSearchParams>;
  #state: string | undefined;

  private constructor(server: ReturnType<typeof createServer>, page: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${PATH}`;
    this.#came = new Promise((resolve) => {
      server.on('request', ({ url = '/' }, response) => {
        // Any program and page on this machine can send anything here
        const { pathname, searchParams } = new URL(URL.canParse(url, this.url) ? url : '/', this.url);
        const isMeant =
          pathname === PATH && this.#state !== undefined && searchParams.get('state') === this.#state;
        response.writeHead(isMeant ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(isMeant ? `${page}\n` : 'Nothing is here.\n');
        if (isMeant) resolve(searchParams);
      });
    });
  }

  /** @param page what the browser shows at the end */
  static async open(page: string, port = 0): Promise<CallbackServer> {
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return new CallbackServer(server, page);
  }

  /** What came back with the state; undefined where nothing does in time. */
  async answer(state: string, patience: number): Promise<URLSearchParams | undefined> {
    this.#state = state;
    return within(this.#came, patience).catch(() => undefined);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
