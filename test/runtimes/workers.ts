import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { StrangerProject } from '../package/stranger-project.ts';
import { installProgram } from '../support/installed-package.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { LineProcess } from '../support/line-process.ts';
import { converse } from './conversation.ts';
import { WORKERD_VERSION } from './versions.ts';

const SANDBOX = fileURLToPath(new URL('./sandbox.mjs', import.meta.url));
const REFUSAL =
  /TW_COMPILE_SCHEMA_RUNTIME: RawTools\d*\.echo\(\) has a JSON Schema, which cannot be compiled here/;

/** As wrangler does it: everything in one file but the modules of Node. */
async function bundle({ directory }: StrangerProject, program: string, splitting: boolean): Promise<string> {
  const outdir = join(directory, splitting ? 'split' : 'bundle');
  await build({
    absWorkingDir: directory,
    entryPoints: [join('dist/trips', `${program}.js`)],
    bundle: true,
    splitting,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    outdir,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  return join(outdir, `${program}.mjs`);
}

/** `app.fetch` where there is nothing but what all workers offer. */
export async function checkSandbox(project: StrangerProject): Promise<void> {
  const sandbox = new Sandbox(await bundle(project, 'worker', true));
  try {
    await sandbox.ready;
    await converse({ url: 'http://sandbox/mcp', fetch: sandbox.fetch }, { asks2025: false });
  } finally {
    sandbox.stop();
  }
  const refused = new Sandbox(await bundle(project, 'raw-schema', true));
  await assert.rejects(refused.ready, REFUSAL);
}

/**
 * The runtime of Cloudflare Workers itself. Code may be made while a worker starts, so that JSON Schemas are no
 * problem where the application is made at the top of the module.
 */
export async function checkWorkerd(project: StrangerProject): Promise<void> {
  const command = await installProgram('workerd', WORKERD_VERSION);
  await withWorkerd(project, command, 'worker', (url) => converse({ url }, { asks2025: false }));
  await withWorkerd(project, command, 'raw-schema', async (url) => {
    assert.match(await callRaw(url, { text: 'hello' }), /hello/);
    assert.match(await callRaw(url, { text: 7, size: 0 }), /VALIDATION_FAILED[^]*text[^]*size/);
  });
}

async function callRaw(url: string, args: object): Promise<string> {
  const params = { name: 'raw', arguments: { action: 'echo', ...args } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.text();
}

async function withWorkerd(
  project: StrangerProject,
  command: string,
  program: string,
  body: (url: string) => Promise<void>,
): Promise<void> {
  const port = await lastingPort();
  const worker = await startWorkerd(project, command, await bundle(project, program, false), port);
  try {
    const url = `http://127.0.0.1:${String(port)}/mcp`;
    await reachable(url);
    await body(url);
  } catch (error) {
    throw new Error(`workerd said:\n${worker.output()}`, { cause: error });
  } finally {
    worker.kill('SIGTERM');
    await worker.ended;
  }
}

async function startWorkerd(
  { directory }: StrangerProject,
  command: string,
  file: string,
  port: number,
): Promise<LineProcess> {
  const config = join(directory, 'bundle', 'config.capnp');
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${String(port)}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${file.replace(/^.*[\\/]/, '')}")],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ["nodejs_compat"],
);
`,
  );
  return new LineProcess({ command, args: ['serve', config], cwd: directory });
}

/** It says nothing when it is ready. */
async function reachable(url: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return;
    await wait(50);
  }
  throw new Error('It does not serve');
}

interface Answer {
  readonly id: number;
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: string;
  readonly failure?: string;
}

/** A bundle in the sandbox, called without a network. */
class Sandbox {
  /** Rejects with what it says when it does not start. */
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  #lastId = 0;

  constructor(file: string) {
    const execArgv = ['--disallow-code-generation-from-strings', '--no-warnings'];
    const env = { ...process.env, NODE_OPTIONS: '' };
    this.#child = fork(SANDBOX, [file], { execArgv, env, silent: true });
    let output = '';
    this.#child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('message', () => resolve());
      this.#child.once('close', () => reject(new Error(output)));
    });
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method, url } = request;
    const body = method === 'GET' || method === 'HEAD' ? undefined : await request.text();
    const id = (this.#lastId += 1);
    const answered = new Promise<Answer>((resolve) => {
      const receive = (answer: Answer): void => {
        if (answer.id !== id) return;
        this.#child.off('message', receive);
        resolve(answer);
      };
      this.#child.on('message', receive);
    });
    this.#child.send({ id, url, method, headers: [...request.headers], body });
    const { status, headers, body: text, failure } = await answered;
    if (failure !== undefined) throw new Error(failure);
    return new Response(text === '' ? null : text, { status, headers });
  };

  stop(): void {
    this.#child.kill();
  }
}
