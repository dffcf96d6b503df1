import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addressOf } from '../support/example-process.ts';
import { documentedProgram, documentedProject } from './documented-project.ts';
import type { LineProcess } from '../support/line-process.ts';
import type { StrangerProject } from './stranger-project.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A call that a server has to answer, and what the answer has to contain. */
export interface Expected {
  readonly tool: string;
  readonly args: Arguments;
  readonly answer: RegExp;
}

export const NOTES: readonly Expected[] = [
  { tool: 'notes', args: { action: 'add', text: 'buy milk' }, answer: /^Note 1 is kept$/ },
  { tool: 'notes', args: { action: 'list' }, answer: /"buy milk"/ },
  { tool: 'notes', args: { action: 'add', txt: 'buy milk' }, answer: /did you mean text\?/ },
];

export const TASKS: readonly Expected[] = [
  { tool: 'tasks', args: { action: 'create', title: 'write' }, answer: /^Task 1 was created$/ },
  { tool: 'tasks', args: { action: 'list' }, answer: /"priority":3/ },
  { tool: 'tasks', args: { action: 'create', title: 'write', priority: 9 }, answer: /priority/ },
];

/** Compiles the program of the guide, starts it, and calls it with a real client over HTTP and over stdio. */
export async function checkCompiled(project: StrangerProject): Promise<void> {
  const documented = documentedProject();
  // What npm start runs is started without npm, which would stand between it and its signals.
  assert.equal(documented.run, 'npm run build && npm start');
  const { scripts } = JSON.parse(documented.packageJson) as { readonly scripts: Arguments };
  assert.equal(scripts['start'], 'node dist/main.js');
  await project.remove('src');
  await project.remove('dist');
  await project.write('tsconfig.json', documented.tsconfig);
  await project.write('src/main.ts', documentedProgram('http'));
  await project.write('src/stdio.ts', documentedProgram('stdio'));
  await project.shell('npm run build');
  await askServed(project.start('dist/main.js'), TASKS);
  await askStarted(project, ['dist/stdio.js'], TASKS);
}

/** Calls a server that prints its address, and ends it. What else it says has to be expected. */
export async function askServed(
  server: LineProcess,
  expected: readonly Expected[],
  says: RegExp = /^$/,
): Promise<void> {
  try {
    await ask(new StreamableHTTPClientTransport(new URL(await addressOf(server))), expected);
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
  assert.match(server.stderr.join('\n'), says);
}

/** Lets a client start what was built, and calls it over stdio. */
export async function askStarted(
  project: StrangerProject,
  args: readonly string[],
  expected: readonly Expected[],
): Promise<void> {
  const { directory: cwd } = project;
  const command = process.execPath;
  await ask(new StdioClientTransport({ command, args: [...args], cwd, env: {} }), expected);
}

async function ask(
  transport: Parameters<Client['connect']>[0],
  expected: readonly Expected[],
): Promise<void> {
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  await client.connect(transport);
  for (const { tool, args, answer } of expected) {
    const { content } = await client.callTool({ name: tool, arguments: args });
    assert.match((content as readonly { readonly text: string }[])[0]?.text ?? '', answer);
  }
  await client.close();
}
