import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../../src/errors/problem-list.ts';
import { LineProcess } from '../../support/line-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Inside the package, where its own name leads to what is built; nearer packages come first.
const project = `${root}.cache/two-copies/`;
const COPIED = ['class-transformer', 'class-validator'];

const PROGRAM = `
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsString, MinLength, ValidateNested } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';

const decorate = (type, property, ...decorators) => decorators.forEach((each) => each(type.prototype, property));
class Item {}
decorate(Item, 'name', IsString(), MinLength(1));
class Order {}
decorate(Order, 'items', IsArray(), ValidateNested({ each: true }), Type(() => Item));
class Trimmed {}
decorate(Trimmed, 'text', IsString(), Transform(({ value }) => value.trim()));
class Renamed {}
decorate(Renamed, 'text', IsString(), Expose({ name: 'words' }));

const inputs = { Item, Order, Trimmed, Renamed };
class Tools { run(input) { return input; } }
ToolGroup('tools')(Tools);
Action({ input: inputs[process.argv.at(-1)] })(Tools.prototype, 'run', Object.getOwnPropertyDescriptor(Tools.prototype, 'run'));
class Root {}
Module({ controllers: [Tools] })(Root);
try {
  const app = await McpApplication.create(Root);
  const refused = await app.call('tools', { action: 'run', name: '' });
  const { isError } = await app.call('tools', { action: 'run', name: 'a' });
  console.log(JSON.stringify([refused.content[0].text, isError ?? false]));
} catch (error) {
  console.log(JSON.stringify(error.problems ?? error.stack));
}`;

beforeAll(async () => {
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  for (const name of COPIED) {
    await cp(`${root}node_modules/${name}`, `${project}node_modules/${name}`, { recursive: true });
  }
  await writeFile(`${project}main.mjs`, PROGRAM);
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function runWith(input: string): Promise<unknown> {
  const started = new LineProcess({ args: ['main.mjs', input], cwd: project });
  if ((await started.ended) !== 0) throw new Error(started.output());
  return JSON.parse(started.stdout.join('\n'));
}

test.each(['Order', 'Trimmed', 'Renamed'])(
  'a DTO that another copy of class-transformer decorated is refused, and both copies are named: %s',
  async (input) => {
    const problems = (await runWith(input)) as readonly Problem[];
    expect(problems.map(({ code, where }) => [code, where])).toEqual([
      ['TW_SHAPE_TRANSFORMER_COPIES', input],
    ]);
    expect(problems[0]?.why).toContain(`${project}node_modules/class-transformer`);
    expect(problems[0]?.why).toContain(`${root}node_modules/class-transformer`);
    expect(problems[0]?.fix).toContain('npm ls class-transformer');
  },
);

test('a DTO that another copy of class-validator decorated is checked all the same', async () => {
  const [refused, isError] = (await runWith('Item')) as readonly [string, boolean];
  expect(refused).toContain('name must be longer than or equal to 1 characters');
  expect(isError).toBe(false);
});
