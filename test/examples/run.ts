/**
 * Runs every example that is a server over HTTP and over stdio with the client beside it, which checks the answers, and
 * the others as the programs that they are.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli-process.ts';
import {
  addressOf,
  EXAMPLE_NAMES,
  EXAMPLES,
  HOSTS,
  runExample,
  type ExampleName,
} from '../support/example-process.ts';
import type { LineProcess } from '../support/line-process.ts';

/** Of the identity provider, which says that it is for demonstrations only. */
const isWarning = (line: string): boolean => line.startsWith('oidc-provider WARNING');
const PROVIDERS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk', 'openai-agents'];

type Check = (lines: readonly string[]) => boolean;
const areFine: Check = (lines) => lines.length > 0 && lines.every((line) => line.startsWith('ok   '));
const hasLines =
  (count: number): Check =>
  (lines) =>
    areFine(lines) && lines.length === count;

/** 9800 is what two lamps cost: the model asked for "two" of them first, and was asked to repair it. */
const hasRepaired: Check = (lines) =>
  PROVIDERS.every((name) =>
    new RegExp(`^${name}: Done\\. The shop said: .*?9800`, 'ms').test(lines.join('\n')),
  );

/** Says whether a program ended well, printed what it should, and complained of nothing. */
async function report(title: string, program: LineProcess, isFine: Check = areFine): Promise<void> {
  const code = await program.ended;
  const complaints = program.stderr.filter((line) => !isWarning(line));
  const hasPassed = code === 0 && complaints.length === 0 && isFine(program.stdout);
  console.log(`${title}: ${hasPassed ? 'passed' : 'FAILED'}`);
  for (const line of hasPassed ? program.stdout : program.output().split('\n')) console.log(`  ${line}`);
  if (!hasPassed) process.exitCode = 1;
}

async function end(title: string, server: LineProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  const code = await server.ended;
  if ((code === 0 || code === signal) && server.stderr.length === 0) return;
  console.log(`${title} ended with ${String(code)}:\n${server.output()}`);
  process.exitCode = 1;
}

async function runOverHttp(name: ExampleName, env: NodeJS.ProcessEnv): Promise<void> {
  const server = runExample(`${name}/main.ts`, [], env);
  await report(`${name} over HTTP`, runExample(`${name}/client.ts`, [await addressOf(server)]));
  await end(name, server, 'SIGINT');
}

async function runInHost(host: (typeof HOSTS)[number]): Promise<void> {
  const server = runExample(`existing-servers/${host}.ts`);
  const client = runExample('existing-servers/client.ts', [await addressOf(server)]);
  await report(`existing-servers in ${host}`, client, hasLines(4));
  await end(host, server, 'SIGTERM');
}

/** Four checks in each era, and two beside them. */
async function runNestShop(): Promise<void> {
  const server = runExample('nest-shop/mcp.ts');
  const client = runExample('nest-shop/client.ts', [await addressOf(server)]);
  await report('nest-shop', client, hasLines(10));
  await end('nest-shop', server, 'SIGTERM');
}

/** In front of a task board, and of notes that it starts itself. */
async function runGateway(env: NodeJS.ProcessEnv): Promise<void> {
  const board = runExample('task-board/main.ts', [], env);
  const server = runExample('gateway/main.ts', [], { TASK_BOARD_URL: await addressOf(board) });
  await report('gateway', runExample('gateway/client.ts', [await addressOf(server)]), hasLines(4));
  await end('gateway', server, 'SIGTERM');
  await end('gateway', board, 'SIGTERM');
}

async function runGithubIssues(): Promise<void> {
  const server = runExample('github-issues/server.ts');
  const client = runExample('github-issues/client.ts', [await addressOf(server)]);
  await report('github-issues', client, hasLines(7));
  await end('github-issues', server, 'SIGTERM');
}

/** The examples with cases: their calls are made, and no model is asked. */
const WITH_CASES = [
  ...['quickstart', 'task-board', 'knowledge-base', 'agent-loop', 'existing-servers', 'release-manager'],
  ...['support-desk', 'nest-shop', 'github-issues', 'board-view'],
];

async function runCases(name: string, folder: string): Promise<void> {
  const env = {
    TASK_BOARD_FILE: join(folder, 'cases.db'),
    KNOWLEDGE_BASE_FOLDER: join(folder, 'cases-pages'),
    RELEASE_MANAGER_FILE: join(folder, 'cases-runs.db'),
  };
  const { code, stdout, stderr } = await runCli(['eval'], { cwd: join(EXAMPLES, name), env });
  const hasPassed = code === 0 && stdout.includes('cases that can be done');
  console.log(`cases of ${name}: ${hasPassed ? 'passed' : `FAILED\n${stdout}\n${stderr}`}`);
  if (!hasPassed) process.exitCode = 1;
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
    await runOverHttp(name, env);
    await report(`${name} over stdio`, runExample(`${name}/client.ts`, [], env));
  }
  await report('editorial-desk', runExample('editorial-desk/main.ts', [], env), hasLines(4));
  await report('agent-loop', runExample('agent-loop/main.ts', [], env), hasRepaired);
  // Twelve steps in each era
  await report('support-desk', runExample('support-desk/client.ts'), hasLines(24));
  await runNestShop();
  await runGateway(env);
  await runGithubIssues();
  for (const host of HOSTS) await runInHost(host);
  for (const name of WITH_CASES) await runCases(name, directory);
} finally {
  await rm(directory, { recursive: true, force: true });
}
