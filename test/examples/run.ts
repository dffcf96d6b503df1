/**
 * Runs every example that is a server over HTTP and over stdio with the client beside it, which checks the answers, and
 * the others as the programs that they are.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, EXAMPLE_NAMES, HOSTS, runExample, type ExampleName } from '../support/example-process.ts';
import type { LineProcess } from '../support/line-process.ts';

async function report(title: string, client: LineProcess): Promise<boolean> {
  const isFine = (await client.ended) === 0;
  console.log(`${title}: ${isFine ? 'passed' : 'FAILED'}`);
  for (const line of isFine ? client.stdout : client.output().split('\n')) console.log(`  ${line}`);
  return isFine;
}

async function runOverHttp(name: ExampleName, env: NodeJS.ProcessEnv): Promise<boolean> {
  const server = runExample(`${name}/main.ts`, [], env);
  try {
    const address = await addressOf(server);
    return await report(`${name} over HTTP`, runExample(`${name}/client.ts`, [address]));
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
}

async function runInHost(host: (typeof HOSTS)[number]): Promise<boolean> {
  const server = runExample(`existing-servers/${host}.ts`);
  try {
    const client = runExample('existing-servers/client.ts', [await addressOf(server)]);
    return await report(`existing-servers in ${host}`, client);
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
}

const directory = await mkdtemp(join(tmpdir(), 'toolwright-examples-'));
const env = {
  TASK_BOARD_FILE: join(directory, 'task-board.db'),
  KNOWLEDGE_BASE_FOLDER: join(directory, 'pages'),
  RELEASE_MANAGER_FILE: join(directory, 'release-manager.db'),
  EDITORIAL_DESK_FILE: join(directory, 'editorial-desk.db'),
};
try {
  for (const name of EXAMPLE_NAMES) {
    const isFine = [
      await runOverHttp(name, env),
      await report(`${name} over stdio`, runExample(`${name}/client.ts`, [], env)),
    ];
    if (isFine.includes(false)) process.exitCode = 1;
  }
  for (const name of ['editorial-desk', 'agent-loop'] as const) {
    if (!(await report(name, runExample(`${name}/main.ts`, [], env)))) process.exitCode = 1;
  }
  if (!(await report('support-desk', runExample('support-desk/client.ts')))) process.exitCode = 1;
  for (const host of HOSTS) if (!(await runInHost(host))) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
