import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** Answers a request for which it should have said the text. */
export type HostileAnswer = (response: ServerResponse, text: string) => void;

const JSON_TYPE = { 'content-type': 'application/json' };
/** Of an answer that goes on and on. */
const OVERSIZED = 100 * 1024 * 1024;

/** @param elsewhere where a redirect leads to */
export function hostileAnswers(elsewhere: string): Readonly<Record<string, HostileAnswer>> {
  return {
    'is slow': (response, text) => {
      setTimeout(() => response.writeHead(200, JSON_TYPE).end(text), 200 + Math.random() * 600);
    },
    hangs: () => undefined,
    'stops in the middle': (response, text) => {
      response.writeHead(200, JSON_TYPE).write(text.slice(0, text.length / 2));
    },
    'breaks off': (response, text) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': String(text.length) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    },
    'sends noise': (response) => {
      response.writeHead(200, JSON_TYPE).end(randomBytes(2000));
    },
    fails: (response) => {
      response.writeHead(500).end('no');
    },
    'sends another kind of JSON': (response) => {
      const odd = ['null', '[]', '"keys"', '{"keys":{"0":{}},"isRevoked":"false"}', '{"isRevoked":null}'];
      response.writeHead(200, JSON_TYPE).end(odd[Math.floor(Math.random() * odd.length)]);
    },
    'leads elsewhere': (response) => {
      response.writeHead(302, { location: `${elsewhere}/keys` }).end();
    },
    'sends 100 MB': (response) => {
      response.writeHead(200, JSON_TYPE).write('{"keys":[');
      const spaces = Buffer.alloc(64 * 1024, ' ');
      const rest = Readable.from(
        (function* (): Generator<Buffer> {
          for (let sent = 0; sent < OVERSIZED; sent += spaces.length) yield spaces;
        })(),
      );
      rest.on('error', () => undefined).pipe(response.on('error', () => undefined));
    },
  };
}

/** Says something of each path, unless it is hostile. */
export class HostileServer implements AsyncDisposable {
  readonly url: string;
  /** In place of what it should say. */
  answer: HostileAnswer | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  static async start(say: (path: string) => string): Promise<HostileServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const hostile = new HostileServer(server);
    server.on('request', ({ url = '' }, response) => {
      const text = say(url);
      if (hostile.answer === undefined) response.writeHead(200, JSON_TYPE).end(text);
      else hostile.answer(response, text);
    });
    return hostile;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}
