import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nextTurn } from './scripted-model.ts';
import { WIRE_FORMATS, type Body } from './wire-format.ts';

export interface ModelServer {
  readonly url: string;
  close(): void;
}

/**
 * A model on this machine that speaks the wire formats of all providers, so that the loops need no account.
 * @param think says what it does next
 */
export async function startModelServer(think = nextTurn): Promise<ModelServer> {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const format = WIRE_FORMATS.find(({ matches }) => matches(request.url ?? ''));
      const answer = format?.write(think(format.readTools(body), format.readResults(body)));
      response
        .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? { error: { message: `Nobody serves ${String(request.url)}` } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body;
}
