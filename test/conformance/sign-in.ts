/** Runs the official scenarios for authorization servers against an application that people sign in to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage } from '../support/installed-package.ts';
import { Browser } from '../support/sign-in/browser.ts';
import { freePort, startDesk } from '../support/sign-in/desk.ts';
import { nodeForSuites } from './run-suite.ts';

const VERSION = '0.2.0-alpha.12';
const CLIENT = 'conformance';
/** Of both scenarios: fewer checks mean that not everything ran. */
const ALL_PASSED = 'Total: 3 passed, 0 failed';
/** Milliseconds. */
const TIME_LIMIT = 120_000;

const port = await freePort();
const redirect = `http://127.0.0.1:${String(port)}/callback`;
const clients = { static: [{ id: CLIENT, name: 'Conformance', redirects: [redirect] }] };
const desk = await startDesk({ signIn: { clients } });
const home = await installPackage('@modelcontextprotocol/conformance', VERSION);
const given = { url: desk.origin, 'client-id': CLIENT, resource: desk.url, port: String(port) };
const options = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
const child = spawn(await nodeForSuites(), [join(home, 'dist', 'index.js'), 'authorization', ...options], {
  env: { ...process.env, NODE_OPTIONS: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: TIME_LIMIT,
});
const closed = once(child, 'close');
const lines: string[] = [];
const visits: Promise<void>[] = [];
for await (const line of createInterface({ input: child.stdout })) {
  console.log(line);
  lines.push(line);
  if (line.startsWith(`${desk.origin}/authorize?`)) visits.push(visit(line));
}
await Promise.all(visits);
await closed;
await desk.close();
if (!lines.includes(ALL_PASSED)) process.exitCode = 1;

/** The person, who agrees. */
async function visit(url: string): Promise<void> {
  const browser = new Browser();
  const page = await browser.open(url, () => false);
  await browser.press(page, 'allow', () => false);
}
