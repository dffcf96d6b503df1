import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a desk, with its identity provider, that is gone when the client has ended. */
export async function startDesk(): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'support-desk-'));
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const env = { ...process.env, PORT: '0', SUPPORT_DESK_FOLDER: folder };
  const server = spawn(process.execPath, [...process.execArgv, main], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Also where a check fails
  process.once('exit', () => server.kill());
  const ended = new Promise((resolve) => server.once('exit', resolve));
  for await (const line of createInterface(server.stdout)) {
    const [, address] = /serves at (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    const stop = async (): Promise<void> => {
      server.kill();
      await ended;
      await rm(folder, { recursive: true });
    };
    return { address, stop };
  }
  throw new Error('The desk did not start');
}
