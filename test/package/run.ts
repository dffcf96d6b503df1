/** Builds and runs the quickstart in a project that has the packed package installed, given as argument. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, EXAMPLES, runExample } from '../fixtures/example-process.ts';
import { LineProcess } from '../fixtures/line-process.ts';
import { message } from '../fixtures/raw-http.ts';

const project = process.argv[2] ?? '.';
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    outDir: 'dist',
  },
  files: ['main.ts'],
};

const IMPORT = `
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { createTestApplication } from 'toolwright/testing';
class Tools { hello() { return 'world'; } }
ToolGroup('greet')(Tools);
Action()(Tools.prototype, 'hello', Object.getOwnPropertyDescriptor(Tools.prototype, 'hello'));
class Root {}
Module({ controllers: [Tools] })(Root);
const test = await createTestApplication(Root);
const client = await test.client();
const { content } = await client.callTool({ name: 'greet', arguments: { action: 'hello' } });
console.log(content[0].text, (await test.listTools()).length, test.app instanceof McpApplication);
await test.close();`;

async function check(what: string, started: LineProcess, expected?: string): Promise<void> {
  const code = await started.ended;
  const isFine = code === 0 && (expected === undefined || started.output().includes(expected));
  console.log(`${isFine ? 'ok  ' : 'FAIL'} ${what}`);
  if (!isFine) throw new Error(`It ended with ${String(code)}:\n${started.output()}`);
}

const node = (...args: readonly string[]): LineProcess =>
  new LineProcess({ args, cwd: project, env: { PORT: '0' } });

await copyFile(join(EXAMPLES, 'quickstart/main.ts'), join(project, 'main.ts'));
await writeFile(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
await check('the quickstart compiles, the types of all dependencies included', node(compiler, '-p', '.'));

const server = node('dist/main.js');
try {
  const client = runExample('quickstart/client.ts', [await addressOf(server)]);
  await check('compiled to JavaScript it satisfies its client over HTTP', client);
} finally {
  server.kill('SIGTERM');
  await server.ended;
}

const stdio = node('dist/main.js', '--stdio');
stdio.end(`${message('ping')}\n`);
await check('and answers over stdio', stdio, '"result":{}');

const required = "console.log(typeof require('toolwright').McpApplication.create)";
await check('require() gives the package', node('--no-warnings', '--eval', required), 'function');
await check(
  'toolwright/testing tests an application',
  node('--input-type=module', '--eval', IMPORT),
  'world 1 true',
);
