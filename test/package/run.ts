/**
 * Uses the packed package as strangers do: what the README and the first guides tell a newcomer to do, word by word,
 * with each TypeScript that is supported and both ends of the peers' ranges.
 * Arguments: the tarball, and an empty directory.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkFiles, checkLinks } from './check-contents.ts';
import { checkDeclarations, checkThatClassesAreDeclaredOnce } from './check-declarations.ts';
import { checkNew, checkTwoCommands } from './check-first-steps.ts';
import { checkImage } from './check-image.ts';
import { checkOwnContainer } from './check-own-container.ts';
import { askStarted, checkCompiled, TASKS } from './check-quickstart.ts';
import { checkUnits } from './check-unit.ts';
import { documentedProject } from './documented-project.ts';
import { StrangerProject } from './stranger-project.ts';

/** Versions in place of those that npm gives for the documented names. */
type Versions = Readonly<Record<string, string>>;

/** Its own declarations do not compile with what it depends on today, so it gets what was compiled before. */
const LOWEST_VALIDATOR = 'class-validator@0.14.0';

const SETUPS: readonly Versions[] = [
  { typescript: '5.9', 'class-validator': '0.14.1' },
  { typescript: '6', 'class-validator': '0.15' },
  { typescript: '7' },
];

const REQUIRE = "console.log(typeof require('toolwright').McpApplication.create)";
const TESTING = `
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

const OPTIONAL = `
import { IsOptional, IsString } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
class Search {}
IsString()(Search.prototype, 'text');
IsOptional()(Search.prototype, 'text');
class Tools { find() { return 'found'; } }
ToolGroup('books')(Tools);
Action({ input: Search })(Tools.prototype, 'find', Object.getOwnPropertyDescriptor(Tools.prototype, 'find'));
class Root {}
Module({ controllers: [Tools] })(Root);
const app = await McpApplication.create(Root);
const { isError } = await app.call('books', { action: 'find', text: null });
console.log(JSON.stringify(app.definitions[0].inputSchema.properties.text.type), isError === true);
await app.close();`;

const CALL_OF_2026 = `
import { existsSync } from 'node:fs';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
class Tools { hello() { return 'world'; } }
ToolGroup('greet')(Tools);
Action()(Tools.prototype, 'hello', Object.getOwnPropertyDescriptor(Tools.prototype, 'hello'));
class Root {}
Module({ controllers: [Tools] })(Root);
const app = await McpApplication.create(Root);
const prefix = 'io.modelcontextprotocol/';
const params = {
  name: 'greet',
  arguments: { action: 'hello' },
  _meta: { [prefix + 'protocolVersion']: '2026-07-28', [prefix + 'clientCapabilities']: {} },
};
const response = await app.fetch(new Request('http://localhost/mcp', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'greet',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
}));
const { result } = await response.json();
console.log(result.content[0].text, existsSync('node_modules/@modelcontextprotocol/server'));
await app.close();`;

const [, , tarball = '', directory = ''] = process.argv;

async function check(what: string, body: () => Promise<void>): Promise<void> {
  const start = performance.now();
  try {
    await body();
  } catch (error) {
    console.log(`FAIL ${what}`);
    throw error;
  }
  console.log(`ok   ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}

/** The installation for those who compile. */
async function install(name: string, versions: Versions): Promise<StrangerProject> {
  const { packageJson, installs } = documentedProject();
  const sources = new Map(Object.entries(versions).map(([key, version]) => [key, `${key}@${version}`]));
  sources.set('toolwright', tarball);
  const project = new StrangerProject(join(directory, name));
  await project.write('package.json', packageJson);
  for (const line of installs) await project.install(line, sources);
  return project;
}

async function newestTypeScript(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['view', 'typescript', 'version', '--prefer-online']);
  return stdout.trim();
}

async function installed(project: StrangerProject, name: string): Promise<string> {
  const text = await readFile(join(project.directory, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

const packed = new Map([['toolwright', tarball]]);
let beginner: StrangerProject;
await check('two commands lead from an empty folder to a called tool', async () => {
  beginner = await checkTwoCommands(join(directory, 'empty'), packed);
});
await check('projects of toolwright new run, pass their tests, and can be published', () =>
  checkNew(beginner, packed),
);
await check(
  'the commands of the documented Dockerfile make a server that is healthy and ends after SIGTERM',
  () => checkImage(join(directory, 'deployed'), packed),
);
await check(
  'the documented units are ones that systemd reads without a warning, where there is systemd',
  () => checkUnits(join(directory, 'unit')),
);

const newest = await newestTypeScript();
const isListed = SETUPS.some(({ typescript = '' }) => newest.startsWith(typescript));
for (const versions of isListed ? SETUPS : [...SETUPS, { typescript: newest }]) {
  let project: StrangerProject;
  const { typescript = '' } = versions;
  await check(`TypeScript ${typescript}: the documented lines install`, async () => {
    project = await install(`typescript-${typescript}`, versions);
    for (const name of ['typescript', 'class-validator', 'class-transformer']) {
      console.log(`     ${name} ${await installed(project, name)}`);
    }
  });
  const what = 'the server of the guide compiles, and a client gets its answers over HTTP and stdio';
  await check(`TypeScript ${typescript}: ${what}`, () => checkCompiled(project));
  await check(`TypeScript ${typescript}: all entries fit together, without the types of Node`, () =>
    checkDeclarations(project),
  );
}

const project = new StrangerProject(join(directory, `typescript-${SETUPS[0]?.typescript ?? ''}`));
const home = join(project.directory, 'node_modules', 'toolwright');
await check(`what was compiled runs with ${LOWEST_VALIDATOR}`, async () => {
  await project.install({ isDevelopment: false, packages: [LOWEST_VALIDATOR] }, new Map());
  assert.equal(`class-validator@${await installed(project, 'class-validator')}`, LOWEST_VALIDATOR);
  await askStarted(project, ['dist/stdio.js'], TASKS);
  assert.equal(await project.evaluate(OPTIONAL, '--input-type=module'), '"string" false');
});
await check('a tsyringe of the user is that of Toolwright, and a second copy is named', () =>
  checkOwnContainer(project),
);
await check('every class has one declaration', () => checkThatClassesAreDeclaredOnce(home));
await check('every link of the packed pages leads to a packed file', () => checkLinks(home));
await check('the licence is packed, and no source map', () => checkFiles(home));
await check('require() gives the package', async () => {
  assert.equal(await project.evaluate(REQUIRE, '--no-warnings'), 'function');
});
await check('toolwright/testing tests an application', async () => {
  assert.equal(await project.evaluate(TESTING, '--input-type=module'), 'world 1 true');
});
await check('2026-07-28 is served without @modelcontextprotocol/server, which nothing installs', async () => {
  assert.equal(await project.evaluate(CALL_OF_2026, '--input-type=module'), 'world false');
});
