import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends each request to the next of the servers, whatever it belongs to: none of them knows more than the others. */
export async function startProxy(port: number, servers: readonly string[]): Promise<string> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const server = servers[(turn += 1) % servers.length];
    const { method, url, headers } = incoming;
    const passed = request(new URL(url ?? '/', server), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    outgoing.once('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await once(proxy.listen(port, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
}
