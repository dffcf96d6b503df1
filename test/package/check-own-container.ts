import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { documentedProject } from './documented-project.ts';
import type { StrangerProject } from './stranger-project.ts';

const ANSWER = '90 true right front,back 180 true absent true true red\ncolour false true';

/** A class that another copy of tsyringe has registered, where an application needs it, lists it, or is given its container. */
const COPIES = `
import { createRequire } from 'node:module';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { container as own } from 'tsyringe';
const { container } = createRequire(process.cwd() + '/other/index.js')('tsyringe');
class Store {}
class Tools { run() { return 'ran'; } }
Reflect.defineMetadata('design:paramtypes', [Store], Tools);
ToolGroup('tools')(Tools);
Action()(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run'));
const start = async (providers, options) => {
  class Root {}
  Module({ controllers: [Tools], providers })(Root);
  const error = await McpApplication.create(Root, options).then((app) => app.close(), ({ message }) => message);
  console.log(/TW_SCAN_\\w+/.exec(error)?.[0], /that is (\\S+), and (\\S+) is asked/.exec(error)?.slice(1).join());
};
await start([Store], {});
container.registerSingleton(Store);
await start([], {});
await start([Store], {});
await start([{ provide: Store, useClass: Store }], { container });
await start([{ provide: Store, useClass: Store }], { container: own.createChildContainer() });`;

/** What another copy of reflect-metadata wrote, before and after: both share their metadata. */
const METADATA = `
import { createRequire } from 'node:module';
const other = createRequire(process.cwd() + '/other/index.js');
class Store {}
class Early {}
class Late {}
// BEFORE
const { Injectable, McpApplication, Module } = await import('toolwright');
Reflect.defineMetadata('design:paramtypes', [Store], Early);
other('reflect-metadata');
Reflect.defineMetadata('design:paramtypes', [Store], Late);
class Root {}
for (const type of [Store, Early, Late]) Injectable()(type);
Module({ providers: [Store, Early, Late] })(Root);
const app = await McpApplication.create(Root);
console.log(app.get(Early) instanceof Early, app.get(Late) instanceof Late);
await app.close();`;

/** A stranger's tsyringe and the one of Toolwright are one copy; where there is a second one, the start names both. */
export async function checkOwnContainer(project: StrangerProject): Promise<void> {
  const program = new URL('programs/own-container.ts', import.meta.url);
  await project.remove('src');
  await project.write('tsconfig.json', documentedProject().tsconfig);
  await project.write('src/own-container.ts', await readFile(program, 'utf8'));
  await project.compile();
  assert.equal(
    await project.evaluate("await import('./dist/own-container.js')", '--input-type=module'),
    ANSWER,
  );
  for (const name of ['tsyringe', 'tslib', 'reflect-metadata']) {
    await project.copy(`node_modules/${name}`, `other/node_modules/${name}`);
  }
  const directories = ['other/node_modules/tsyringe', 'node_modules/tsyringe'];
  const named = `TW_SCAN_CONTAINER_COPIES ${directories.map((each) => `${project.directory}/${each}`).join()}`;
  const nothing = 'undefined undefined';
  const starts = [nothing, named, named, named, nothing];
  assert.equal(await project.evaluate(COPIES, '--input-type=module'), starts.join('\n'));
  for (const script of [METADATA, METADATA.replace('// BEFORE', "other('reflect-metadata');")]) {
    assert.equal(await project.evaluate(script, '--input-type=module'), 'true true');
  }
  await project.remove('other');
}
