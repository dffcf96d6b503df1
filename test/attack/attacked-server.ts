import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface ServeOptions {
  /** For Node itself, such as `--max-old-space-size=512`. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** What the attacked process says of itself. */
export interface Vitals {
  /** The longest time that the event loop was held since the last question, in milliseconds. */
  readonly held: number;
  /** What the processor has done for all its threads since it began, in milliseconds. */
  readonly processor: number;
  /** After a garbage collection, if Node was started with `--expose-gc`. */
  readonly heapUsed: number;
  readonly rss: number;
  /** Sockets, timers and whatever else keeps the process alive. */
  readonly handles: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server in a process of its own, so that a loop that is held is seen from outside. */
export interface AttackedServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** The end of what it wrote to stderr. */
  readonly errors: () => string;
  /** Sends one JSON-RPC message; rejects when the limit is over or the server has died. */
  readonly post: (
    body: string,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly limit?: number },
  ) => Promise<Answer>;
  /** Ask once before an attack, so that what came before does not count. */
  readonly vitals: () => Promise<Vitals>;
  readonly close: () => Promise<void>;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** @param build the folder of the package: what the server imports comes from there, and from its node_modules */
export async function startServer(
  build: string,
  name: string,
  { nodeOptions = [], environment = {} }: ServeOptions = {},
): Promise<AttackedServer> {
  const ATTACKED_PACKAGE = pathToFileURL(join(build, 'package.json')).href;
  const child = fork(join(HERE, 'servers', `${name}.ts`), {
    // the folder decides which tsconfig.json the runner reads
    cwd: HERE,
    execArgv: [
      ...['--import', '@oxc-node/core/register', '--import', './redirect.mjs'],
      ...['--enable-source-maps', ...nodeOptions],
    ],
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: 'test', ATTACKED_PACKAGE, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-4000);
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The server "${name}" did not start:\n${errors}`);
  const [{ url }] = first as [{ readonly url: string }];
  return {
    url,
    process: child,
    errors: () => errors,
    post: (body, options = {}) => post(url, body, options),
    vitals: async () => {
      const answer = once(child, 'message') as Promise<[Vitals]>;
      // One that has died is noticed by its end.
      child.send('vitals', () => undefined);
      const gone = ended.then(() => Promise.reject(new Error(`The server "${name}" has died:\n${errors}`)));
      return (await Promise.race([answer, gone]))[0];
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function post(
  url: string,
  body: string,
  { headers, limit }: NonNullable<Parameters<AttackedServer['post']>[1]>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...HEADERS, 'content-length': Buffer.byteLength(body), ...headers },
    });
    const timer =
      limit === undefined ? undefined : setTimeout(() => sent.destroy(new Error('endless')), limit);
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(body);
  });
}
