/**
 * Runs the packed package in every runtime that is supported, and compares the tables of the pages with what worked:
 *
 *     npm run runtimes -- [--only servers,refusals,workers,agents,size,core] [--core 24.21.0] [--write]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkAgents } from './agents.ts';
import { runCoreTests } from './core-tests.ts';
import { readOptions, type PartName } from './options.ts';
import { createProject } from './project.ts';
import { checkRefusals } from './refusals.ts';
import { installRuntimes, labelOf } from './runtime.ts';
import { describeWay, runServers, waysOf, type Way } from './servers.ts';
import { describeParts, LARGEST_INSTALLATION, measureInstallation } from './size.ts';
import { runtimeTable, updatePages, type Seen } from './table.ts';
import { checkSandbox, checkWorkerd } from './workers.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { parts, core, writes } = readOptions(process.argv.slice(2));
const has = (part: PartName): boolean => parts.includes(part);
const directory = await mkdtemp(join(tmpdir(), 'toolwright-runtimes-'));

async function check(what: string, body: () => Promise<unknown>): Promise<boolean> {
  const start = performance.now();
  try {
    const said = await body();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`ok   ${what} (${seconds} s)${typeof said === 'string' ? ` ${said}` : ''}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${what}`, error);
    process.exitCode = 1;
    return false;
  }
}

async function checkSize(tarball: string): Promise<void> {
  const [whole, ...largest] = await measureInstallation(join(directory, 'installed'), tarball);
  const limit = LARGEST_INSTALLATION / 1024;
  console.log(
    `The installation takes ${(whole / 1024).toFixed(1)} MiB of ${String(limit)}; its largest parts:`,
  );
  for (const line of describeParts(largest)) console.log(`  ${line}`);
  if (whole > LARGEST_INSTALLATION) throw new Error(`It takes more than ${String(limit)} MiB`);
}

async function checkRuntimes(tarball: string): Promise<void> {
  const ways: Way[] = [];
  const workers: Seen['workers'][number][] = [];
  const project = await createProject(join(directory, 'project'), tarball);
  const runtimes = await installRuntimes();
  for (const way of has('servers') ? runtimes.flatMap(waysOf) : []) {
    if (await check(describeWay(way), () => runServers(project, way))) ways.push(way);
  }
  for (const runtime of has('refusals') ? runtimes : []) {
    await check(`${labelOf(runtime)} says what is missing`, () => checkRefusals(project, runtime));
  }
  if (has('agents')) await check('agents of LangChain and Mastra', () => checkAgents(project, runtimes));
  if (!has('workers')) return;
  if (await check('a sandbox like workers', () => checkSandbox(project))) workers.push('sandbox');
  if (await check('workerd', () => checkWorkerd(project))) workers.push('workerd');
  if (!has('servers')) return;
  await check('the tables of the pages say what was seen', async () => {
    const stale = await updatePages(runtimeTable({ ways, workers }), writes);
    if (stale.length > 0) throw new Error(`${stale.join(', ')}: npm run runtimes -- --write`);
  });
}

try {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory],
    { cwd: ROOT },
  );
  const tarball = join(directory, stdout.trim().split('\n').at(-1) ?? '');
  if (has('size')) await check('the size of an installation', () => checkSize(tarball));
  if (has('servers') || has('refusals') || has('workers') || has('agents')) await checkRuntimes(tarball);
  for (const version of has('core') ? core : []) {
    await check(`Node ${version}: features, engine and compile`, () => runCoreTests(version));
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
