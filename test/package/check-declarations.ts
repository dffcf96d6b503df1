import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StrangerProject } from './stranger-project.ts';

/** Takes values of shared classes from one entry to another, as a user's code does. */
const CONSUMER = `
import { McpApplication, Logger, ToolContext, ToolwrightError, type Class } from 'toolwright';
import * as formats from 'toolwright/formats';
import { Group } from 'toolwright/model';
import { createTestApplication, FakeToolContext } from 'toolwright/testing';
import * as version from 'toolwright/version';
import * as workflow from 'toolwright/workflow';

export async function assign(root: Class, service: workflow.WorkflowService): Promise<void> {
  const test = await createTestApplication(root);
  const app: McpApplication = test.app;
  const group: Group | undefined = app.model.groups[0];
  const named: typeof app.model.groups = [new Group('notes')];
  const context: ToolContext = new FakeToolContext();
  const errors: ToolwrightError<string>[] = [
    new version.InvalidVersionError('x'),
    ...([] as workflow.WorkflowError[]),
    ...([] as formats.ConversionError[]),
  ];
  class Quiet extends Logger { log(): void {} }
  const stream = { readable: true, writable: true, pause() {}, resume() {}, write: () => true, end() {} };
  new workflow.WorkflowRpcServer(service, { input: stream, output: stream, logger: new Quiet() });
  await app.stdio({ stdin: stream, stdout: stream, stderr: stream });
  console.log(group, named, context, errors);
}
`;

/** What a server offers, as its lock has it. */
const LOCK = {
  lockVersion: 2,
  surfaceHash: '',
  server: { name: 'tasks' },
  tools: [
    {
      name: 'tasks',
      inputSchema: {
        type: 'object',
        properties: { action: { enum: ['create', 'list'] } },
        required: ['action'],
      },
      actions: [
        {
          key: 'create',
          description: 'Create a task',
          inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
          outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          unknownFields: 'strict',
          annotations: {},
        },
        { key: 'list', inputSchema: { type: 'object' }, unknownFields: 'strict', annotations: {} },
      ],
    },
  ],
  prompts: [{ name: 'weekly', arguments: [{ name: 'week', required: true }] }],
  resources: [],
  resourceTemplates: [],
};

/** Calls that server; what is wrong does not compile. */
const CALLER = `
import { connect } from 'toolwright/client';
import type { Tasks } from './tasks-server.js';

const client = await connect<Tasks>('https://tasks.example/mcp');
const created = await client.callTool('tasks', { action: 'create', title: 'Milk' });
export const id: number | undefined = created.structuredContent?.id;
await client.callTool('tasks', { action: 'list' });
await client.getPrompt('weekly', { week: '12' });
// @ts-expect-error
await client.callTool('task', { action: 'list' });
// @ts-expect-error
await client.callTool('tasks', { action: 'crate', title: 'Milk' });
// @ts-expect-error
await client.callTool('tasks', { action: 'create' });
// @ts-expect-error
await client.callTool('tasks', { action: 'list', title: 'Milk' });
// @ts-expect-error
await client.callTool('tasks', { action: 'create', title: 'Milk', colour: 'red' });
// @ts-expect-error
await client.getPrompt('weekly', { month: '12' });
`;

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: [],
  noEmit: true,
};

/** The types of the package, and of everything that they are made of, need no types of Node; those of a server fit them. */
export async function checkDeclarations(project: StrangerProject): Promise<void> {
  await project.write('types/consumer.ts', CONSUMER);
  await project.write('types/caller.ts', CALLER);
  await project.write('types/toolwright.lock.json', JSON.stringify(LOCK));
  await project.shell(
    'npx --no-install toolwright export types/toolwright.lock.json --for client > types/tasks-server.ts',
  );
  const files = ['consumer.ts', 'caller.ts'];
  await project.write('types/tsconfig.json', JSON.stringify({ compilerOptions, files }));
  await project.without('@types/node', () => project.compile('-p', 'types'));
  await project.remove('types');
}

const CLASS = /^(?:export )?declare (?:abstract )?class (\w+)/gm;

/** Two declarations of a class with private members do not fit each other. */
export async function checkThatClassesAreDeclaredOnce(home: string): Promise<void> {
  const files = (await readdir(join(home, 'dist'), { recursive: true })).filter((file) =>
    file.endsWith('.d.ts'),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(home, 'dist', file), 'utf8')));
  const names = texts.flatMap((text) => [...text.matchAll(CLASS)].map(([, name = '']) => name));
  assert.ok(names.includes('McpApplication') && names.includes('Group'));
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
}
