import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage, installProgram } from '../support/installed-package.ts';
import { CACHE } from './cache.ts';
import { judgeSuite, type Check, type SuiteResult } from './suite-result.ts';
import type { Suite } from './suites.ts';

/** Milliseconds; a suite that hangs would keep the whole run. */
const TIME_LIMIT = 15 * 60_000;

/** Runs a suite against a server. */
export async function runSuite(suite: Suite, address: string): Promise<SuiteResult> {
  const home = await installPackage('@modelcontextprotocol/conformance', suite.version);
  const node = await nodeForSuites();
  const folder = join(CACHE, 'results', suite.name);
  await rm(folder, { recursive: true, force: true });
  const program = [join(home, 'dist', 'index.js'), 'server', '--url', address, '-o', folder];
  const { lines, signal } = await follow(suite.name, node, [...program, ...suite.args]);
  const result = judgeSuite(suite, lines, await readChecks(folder));
  if (result.scenarios.length === 0) console.log(lines.join('\n'));
  if (signal === null) return result;
  const failure = { scenario: suite.name, check: 'ended', message: `the suite was ended by ${signal}` };
  return { ...result, failures: [...result.failures, failure] };
}

/** The suites read folders with `globSync`, which came with Node 22. */
export async function nodeForSuites(): Promise<string> {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= 22;
  return isNewEnough ? process.execPath : installProgram('node', '24');
}

interface Ending {
  readonly lines: readonly string[];
  /** What ended it before its own end. */
  readonly signal: NodeJS.Signals | null;
}

/** Shows which scenario is running; gives all lines. */
async function follow(title: string, command: string, args: readonly string[]): Promise<Ending> {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'], timeout: TIME_LIMIT });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  let started = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const [, scenario] = /^=== Running scenario: (\S+) ===$/.exec(line) ?? [];
    if (scenario !== undefined) showProgress(`${title}: ${String((started += 1))} ${scenario}`);
  }
  const [, signal] = await closed;
  showProgress('');
  return { lines, signal };
}

/** One line that changes on a terminal, a line for each elsewhere. */
function showProgress(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
  else if (text !== '') console.log(text);
}

/** The files that a suite left; a scenario's folder is `server-<scenario>-<time>`. */
async function readChecks(folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const checks = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder).catch(() => [])) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, '');
    const text = await readFile(join(folder, name, 'checks.json'), 'utf8').catch(() => '[]');
    checks.set(scenario, JSON.parse(text) as readonly Check[]);
  }
  return checks;
}
