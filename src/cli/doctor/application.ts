import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { HttpListenOptions } from '../../index.ts';
import { isLockFault, LOCK_NAME, readLock, writeLock } from '../lock/lock-file.ts';
import { readLockedSurface } from '../surface/read-surface.ts';
import { readLevel } from '../output/levels.ts';
import { loadEntry, type LoadedEntry } from '../target/entry.ts';
import { DEFAULT_PORT } from '../target/serve-entry.ts';
import type { Finding } from './finding.ts';
import { examineSignIn } from './sign-in.ts';

/** The application of a file, its port and its lock. */
export async function examineApplication(
  reference: string,
  timeout: number | undefined,
): Promise<readonly Finding[]> {
  const about = 'application';
  let entry: LoadedEntry;
  try {
    entry = await loadEntry(reference, { timeout, waitsForServing: true, trustsCallers: true });
  } catch (error) {
    if (!ToolwrightError.is(error)) throw error;
    return [{ about, state: 'problem', found: sayFailure(error), fix: `toolwright check ${reference}` }];
  }
  try {
    const { application, listenOptions, stdioOptions, isWorker } = entry.created;
    const count = application.definitions.length;
    const isOverHttp = listenOptions !== undefined || (stdioOptions === undefined && !isWorker);
    return [
      { about, state: 'ok', found: `starts, with ${String(count)} ${count === 1 ? 'tool' : 'tools'}` },
      ...(isOverHttp ? await examinePlace(listenOptions) : []),
      ...examineSignIn(application),
      ...application.advice(listenOptions).map((finding): Finding => {
        const { code, where, what, fix } = finding;
        return { about: code, state: readLevel(finding), found: `${where} ${what}`, fix };
      }),
      ...(await examineLock(reference, entry)),
    ];
  } finally {
    await entry.close();
  }
}

/** A socket is examined when it is opened, and a server that listens already has its port. */
async function examinePlace(options: HttpListenOptions = {}): Promise<readonly Finding[]> {
  const { port, host, socketPath, server } = options;
  if (socketPath !== undefined || server?.listening === true) return [];
  return [await examinePort(port, host)];
}

/** Whether the port can be opened. A server of yours may be what holds it. */
export async function examinePort(port = DEFAULT_PORT, host = '127.0.0.1'): Promise<Finding> {
  const about = 'port';
  if (port === 0) return { about, state: 'ok', found: 'any that is free' };
  const code = await failureToListen(port, host);
  const place = `${host}:${String(port)}`;
  if (code === undefined) return { about, state: 'ok', found: `${place} is free` };
  if (code === 'EADDRINUSE')
    return {
      about,
      state: 'advice',
      found: `${place} is in use`,
      fix: 'end what uses it, or --port with another one',
    };
  return {
    about,
    state: 'problem',
    found: `${place} cannot be opened: ${code}`,
    fix: '--port and --host of this machine',
  };
}

/** The code of the error, or undefined. */
async function failureToListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    server.close();
  }
}

async function examineLock(reference: string, { created }: LoadedEntry): Promise<readonly Finding[]> {
  const about = LOCK_NAME;
  const text = await readFile(LOCK_NAME, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const lock = readLock(text);
  if (isLockFault(lock)) return [{ about, state: 'problem', found: lock.what, fix: lock.fix }];
  const isFull = Object.values(lock.surface.surfaces ?? {}).some(({ tools }) => tools !== undefined);
  const surface = await readLockedSurface(created, isFull ? 'full' : 'short');
  if (writeLock({ ...lock, surface }) === text) return [{ about, state: 'ok', found: 'is up to date' }];
  const fix = `toolwright diff ${LOCK_NAME} ${reference}, then toolwright lock ${reference}`;
  return [{ about, state: 'advice', found: 'is not what the application offers', fix }];
}

function sayFailure({ code, message }: ToolwrightError): string {
  const line = (message.split('\n')[0] ?? '').replace(/:$/, '');
  return line.startsWith(code) ? line : `${code}: ${line}`;
}
