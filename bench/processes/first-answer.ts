import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { COMPILED } from '../folders.ts';
import { initializeMessage, LEGACY_HEADERS, requestOf } from '../load/http-call.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { StdioClient } from '../load/stdio-load.ts';
import { serverEnvironment } from './server-process.ts';

const call = { method: 'tools/call', params: { name: 'math', arguments: { action: 'add', a: 40, b: 2 } } };
const RIGHT = '"42"';

/** Milliseconds from the start of a process that only imports to its word that it has. */
export function timeOfBase(): Promise<number> {
  return timed('programs/base', [], firstLine);
}

/** Milliseconds from the start of a server to its first answer of a call. @throws Error for a wrong answer */
export function timeToHttpAnswer(): Promise<number> {
  return timed('servers/toolwright/quickstart', [], async (child) => {
    const url = new URL(await firstLine(child));
    const request = requestOf({ message: call, headers: LEGACY_HEADERS }, url);
    const connection = await HttpConnection.open(url, request, () => undefined);
    await connection.callWhile(({ body }) => {
      verify(body.toString());
      return false;
    });
    connection.close();
  });
}

/** The same over stdio, where the handshake comes first. */
export function timeToStdioAnswer(): Promise<number> {
  return timed('servers/toolwright/quickstart', ['--stdio'], async ({ stdin, stdout }) => {
    const client = new StdioClient(stdin, stdout);
    await client.exchange({ id: 1, ...initializeMessage });
    client.notify({ method: 'notifications/initialized' });
    verify(await client.exchange({ id: 2, ...call }));
  });
}

function verify(answer: string): void {
  if (!answer.includes(RIGHT)) throw new Error(`It answers ${answer.slice(0, 300)}`);
}

async function timed(
  program: string,
  args: readonly string[],
  work: (child: ChildProcessWithoutNullStreams) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  const file = join(COMPILED, `${program}.js`);
  const child = spawn(process.execPath, [file, ...args], { env: serverEnvironment() });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const failed = ended.then(() => {
    throw new Error(`${program} ended: ${output.slice(-500)}`);
  });
  try {
    await Promise.race([work(child), failed]);
    return performance.now() - start;
  } finally {
    failed.catch(() => undefined);
    child.kill('SIGKILL');
    await ended;
  }
}

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}
