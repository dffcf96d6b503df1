/**
 * Three desks and two workers on one Redis, behind a proxy that sends each request to the next desk:
 *
 *     SUPPORT_DESK_REDIS=redis://127.0.0.1:6379 node --import @oxc-node/core/register support-desk/cluster/main.ts
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProvider } from '../identity/provider.ts';
import { settings } from '../settings.ts';
import { startProxy } from './proxy.ts';

const { port, folder, redis } = settings;
if (redis === undefined) throw new Error('Desks that share their work need SUPPORT_DESK_REDIS');

const issuer = settings.issuer ?? (await startProvider(0));
const desks: string[] = [];
const address = await startProxy(port, desks);
const env = {
  ...process.env,
  PORT: '0',
  SUPPORT_DESK_FOLDER: folder,
  SUPPORT_DESK_ISSUER: issuer,
  SUPPORT_DESK_URL: `${address}/mcp`,
  SUPPORT_DESK_SECRETS: settings.secrets?.join(',') ?? randomBytes(32).toString('base64'),
};

const children: ChildProcess[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
const serving = /serves at (\S+)\/mcp/;
for (let desk = 0; desk < 3; desk += 1) desks.push(await start('main.ts', serving));
for (let worker = 0; worker < 2; worker += 1) await start('worker.ts', /(works) on reports/);
console.log(`support-desk serves at ${address}/mcp`);
console.log(`by ${desks.length} desks and 2 workers, which end with this program`);

/** Starts a program, and gives what it writes once it is ready. */
async function start(file: string, ready: RegExp): Promise<string> {
  const program = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = ready.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => {
      reject(new Error(`${file} ended with ${String(code)}`));
    });
  });
}

/** Each of them finishes what it does. */
async function stop(): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill();
  await Promise.all(ended);
  process.exit();
}
