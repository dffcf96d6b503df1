/**
 * Finds and starts the service that the first argument names, prints `{ "address": … }` or `{ "error": … }` as a line,
 * and stops it when its own input ends: when nobody needs it any more, or the process that asked was killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findService, type Found } from './find-service.ts';
import { startBrowser } from './start-browser.ts';
import { startPostgres } from './start-postgres.ts';
import type { Running } from './start-program.ts';
import { startRedis } from './start-redis.ts';
import { SERVICES, type ServiceName } from './service.ts';

const START: Readonly<Record<ServiceName, (program: string, directory: string) => Promise<Running>>> = {
  postgres: startPostgres,
  redis: startRedis,
  browser: startBrowser,
  // Tests that start one of their own, with arguments, and shells
  chromium: async (program) => unstopped(program),
  zsh: async (program) => unstopped(program),
  fish: async (program) => unstopped(program),
};

function unstopped(address: string): Running {
  return { address, stop: async () => {} };
}

/** What the environment names is a server that runs, but for the browser: that is a program, too. */
function start(name: ServiceName, found: Found, directory: string): Promise<Running> | Running {
  if (!('given' in found)) return START[name](found.program, directory);
  return name === 'browser' ? startBrowser(found.given) : unstopped(found.given);
}

async function serve(name: ServiceName): Promise<void> {
  const unused = new Promise((resolve) => process.stdin.resume().once('close', resolve));
  const found = await findService(SERVICES[name]);
  // The temporary directory of root may be closed to the user that a server runs as
  const directory = await mkdtemp(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'toolwright-service-'));
  try {
    const { address, stop } = await start(name, found, directory);
    console.log(JSON.stringify({ address }));
    await unused;
    await stop();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await serve(process.argv[2] as ServiceName).catch((error: unknown) => {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
});
process.exit();
