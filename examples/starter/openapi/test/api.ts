/** Stands for your API on this computer: it answers as api.json says, and keeps notes in memory. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

interface Note {
  readonly id: number;
  readonly text: string;
}

type Answer = readonly [status: number, body?: unknown];

/** Answers a request. */
function createHandler(): (request: IncomingMessage) => Promise<Answer> {
  const notes = new Map<number, Note>();
  let nextId = 1;
  return async (request) => {
    const { method, url = '', headers } = request;
    if (headers.authorization === undefined) return [401, { message: 'There is no token' }];
    if (method === 'GET' && url === '/notes') return [200, [...notes.values()]];
    if (method === 'POST' && url === '/notes') {
      const { text } = (await json(request)) as { readonly text: string };
      const note = { id: nextId++, text };
      notes.set(note.id, note);
      return [201, note];
    }
    const id = Number(/^\/notes\/(\d+)$/.exec(url)?.[1]);
    if (method === 'DELETE' && notes.delete(id)) return [204];
    return [404, { message: `There is no note ${id}` }];
  };
}

/** Starts the API at a port of this computer; 0 is any that is free. */
export async function startApi(port: number): Promise<{ readonly server: Server; readonly url: string }> {
  const answer = createHandler();
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await startApi(4100);
  console.log(`The API is at ${url}`);
}
