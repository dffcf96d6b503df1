import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addressOf } from '../support/example-process.ts';
import { documentedProject, startedByClients } from './documented-project.ts';
import type { StrangerProject } from './stranger-project.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A call that the page's server has to answer, and what the answer has to contain. */
interface Expected {
  readonly tool: string;
  readonly args: Arguments;
  readonly answer: RegExp;
}

export const README: readonly Expected[] = [
  { tool: 'notes', args: { action: 'add', text: 'buy milk' }, answer: /^Note 1 is kept$/ },
  { tool: 'notes', args: { action: 'list' }, answer: /"buy milk"/ },
  { tool: 'notes', args: { action: 'add', txt: 'buy milk' }, answer: /did you mean text\?/ },
];

export const GUIDE: readonly Expected[] = [
  { tool: 'tasks', args: { action: 'create', title: 'write' }, answer: /^Task 1 was created$/ },
  { tool: 'tasks', args: { action: 'list' }, answer: /"priority": 3/ },
  { tool: 'tasks', args: { action: 'create', title: 'write', priority: 9 }, answer: /priority/ },
];

/** Builds what the page shows, starts it, and calls it with a real client over HTTP and over stdio. */
export async function checkQuickstart(
  project: StrangerProject,
  page: string,
  expected: readonly Expected[],
): Promise<void> {
  const documented = documentedProject(page);
  // What npm start runs is started without npm, which would stand between it and its signals.
  assert.equal(documented.run, 'npm run build && npm start');
  const { scripts } = JSON.parse(documented.packageJson) as { readonly scripts: Arguments };
  assert.equal(scripts['start'], 'node dist/main.js');
  const takesOption = documented.main.includes('--stdio');
  await project.remove('src');
  await project.remove('dist');
  await project.write('tsconfig.json', documented.tsconfig);
  await project.write('src/main.ts', documented.main);
  if (!takesOption) await project.write('src/stdio.ts', startedByClients(page, documented.main));
  await project.shell('npm run build');

  const server = project.start('dist/main.js');
  try {
    await ask(new StreamableHTTPClientTransport(new URL(await addressOf(server))), expected);
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
  assert.deepEqual(server.stderr, [], `${page}: the server complains`);
  await askStarted(project, takesOption ? ['dist/main.js', '--stdio'] : ['dist/stdio.js'], expected);
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
