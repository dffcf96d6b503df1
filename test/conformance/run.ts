/**
 * Runs the official conformance suites against a server that is written with the built package.
 * `npm run conformance -- flat` runs them on a surface.
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
const server = new LineProcess({
  args: ['--import', '@oxc-node/core/register', 'server/main.ts', ...process.argv.slice(2)],
  cwd: fileURLToPath(new URL('.', import.meta.url)),
});
const results: SuiteResult[] = [];
try {
  const address = await addressOf(server);
  for (const suite of SUITES) results.push(await runSuite(suite, address));
} finally {
  server.kill('SIGTERM');
  await server.ended;
}
await writeFile(join(CACHE, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
printReport(results);
if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
