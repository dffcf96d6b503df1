/**
 * Runs the official conformance suites against a server that is written with the built package.
 * `npm run conformance -- flat` runs them on a surface, and `npm run conformance -- through 2025` through a gateway that offers
 * the server, and speaks that era with it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from '../support/example-process.ts';
import { LineProcess } from '../support/line-process.ts';
import { CACHE } from './cache.ts';
import { printReport } from './report.ts';
import { runSuite } from './run-suite.ts';
import type { SuiteResult } from './suite-result.ts';
import { SUITES } from './suites.ts';

// The folder decides which tsconfig.json the runner reads.
const start = (...args: readonly string[]): LineProcess =>
  new LineProcess({
    args: ['--import', '@oxc-node/core/register', ...args],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
const [, , way, ...others] = process.argv;
const servers = [start('server/main.ts', ...(way === undefined || way === 'through' ? [] : [way]))];
const results: SuiteResult[] = [];
try {
  let address = await addressOf(servers[0] as LineProcess);
  if (way === 'through') {
    const gateway = start('server/gateway.ts', address, ...others);
    servers.push(gateway);
    address = await addressOf(gateway);
  }
  for (const suite of SUITES) results.push(await runSuite(suite, address));
} finally {
  for (const server of servers.reverse()) {
    server.kill('SIGTERM');
    await server.ended;
  }
}
await writeFile(join(CACHE, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
printReport(results);
if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
