import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED } from '../folders.ts';
import { initializeMessage, LEGACY_HEADERS, requestOf } from '../load/http-call.ts';
import { HttpConnection } from '../load/http-connection.ts';
import { StdioClient } from '../load/stdio-load.ts';
import { runProgram } from './run-program.ts';
import { serverEnvironment } from './server-process.ts';

const REPORTER = pathToFileURL(join(COMPILED, 'processes/report-processor.js')).href;
/** The line that it writes. */
const PROCESSOR = /^processor (.+) ms$/m;

const call = { method: 'tools/call', params: { name: 'math', arguments: { action: 'add', a: 40, b: 2 } } };
const RIGHT = '"42"';

/** Milliseconds from the start of a process. */
export interface ProcessTimes {
  /** By the clock. */
  readonly elapsed: number;
  /** For which its threads kept a processor busy, so that other processes hardly change it. */
  readonly processor: number;
}

/** Until a process that only imports says that it has. */
export function timesOfBase(): Promise<ProcessTimes> {
  return timed('programs/base', [], firstLine);
}

/** Until a server answered its first call. @throws Error for a wrong answer */
export function timesToHttpAnswer(
  program: 'servers/toolwright/quickstart' | 'programs/base-http',
): Promise<ProcessTimes> {
  return timed(program, [], async (child) => {
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
export function timesToStdioAnswer(): Promise<ProcessTimes> {
  return timed('servers/toolwright/quickstart', ['--stdio'], async ({ stdin, stdout }) => {
    const client = new StdioClient(stdin, stdout);
    await client.exchange({ id: 1, ...initializeMessage });
    client.notify({ method: 'notifications/initialized' });
    verify(await client.exchange({ id: 2, ...call }));
  });
}

/** Of `create()` alone, with so many controllers of 10 actions. @param surface the option; undefined for none */
export function timesOfCreation(controllers: number, surface?: string): Promise<ProcessTimes> {
  return runProgram('create', { controllers, surface });
}

function verify(answer: string): void {
  if (!answer.includes(RIGHT)) throw new Error(`It answers ${answer.slice(0, 300)}`);
}

async function timed(
  program: string,
  args: readonly string[],
  work: (child: ChildProcessWithoutNullStreams) => Promise<unknown>,
): Promise<ProcessTimes> {
  const start = performance.now();
  const file = join(COMPILED, `${program}.js`);
  const child = spawn(process.execPath, ['--import', REPORTER, file, ...args], { env: serverEnvironment() });
  const ended = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const failed = ended.then(() => {
    throw new Error(`${program} ended: ${output.slice(-500)}`);
  });
  try {
    await Promise.race([work(child), failed]);
    const elapsed = performance.now() - start;
    child.kill('SIGTERM');
    await ended;
    return { elapsed, processor: Number(PROCESSOR.exec(output)?.[1]) };
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
