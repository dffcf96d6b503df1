import { chromium } from 'playwright-core';
import type { Running } from './start-program.ts';

/** Starts a browser that several processes use, each with contexts of its own. Its address is for `chromium.connect`. */
export async function startBrowser(program: string): Promise<Running> {
  const server = await chromium.launchServer({
    executablePath: program,
    args: ['--no-sandbox'],
    host: '127.0.0.1',
  });
  return { address: server.wsEndpoint(), stop: () => server.close() };
}
