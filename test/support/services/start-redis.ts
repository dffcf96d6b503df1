import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startProgram, type Started } from './start-program.ts';

/** A private server that keeps nothing on the disk. */
export async function startRedis(
  file: string,
  directory: string,
  settings: readonly string[] = [],
  port?: number,
): Promise<Started> {
  port ??= await freePort();
  const always = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const args = [...always, ...settings];
  const ready = 'Ready to accept connections';
  return startProgram(`redis://127.0.0.1:${port}`, {
    file,
    args,
    user: {},
    directory,
    ready,
    end: 'SIGTERM',
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
