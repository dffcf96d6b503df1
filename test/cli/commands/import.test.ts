import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiPlan } from 'toolwright/nest';
import { runInProcess } from '../../support/command-in-process.ts';
import { CommandFolder } from '../../support/command-line.ts';

const CLASSES = `
  import 'reflect-metadata';
  import { Controller, Delete, Get, Module, Param, Post, Query } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';

  class TasksController { find(text) {} read(id) {} remove(id) {} }
  class OrdersController { list() {} pay(id) {} health() {} login() {} }
  const route = (type, member, decorator, ...parameters) => {
    for (const [index, each] of parameters.entries()) each(type.prototype, member, index);
    decorator(type.prototype, member, Object.getOwnPropertyDescriptor(type.prototype, member));
  };
  route(TasksController, 'find', Get(), Query('text'));
  route(TasksController, 'read', Get(':id'), Param('id'));
  route(TasksController, 'remove', Delete(':id'), Param('id'));
  route(OrdersController, 'list', Get());
  route(OrdersController, 'pay', Post(':id/pay'), Param('id'));
  route(OrdersController, 'health', Get('health'));
  route(OrdersController, 'login', Post('login'));
  Controller('tasks')(TasksController);
  Controller('orders')(OrdersController);
  class AppModule {}
  Module({ controllers: [TasksController, OrdersController] })(AppModule);
  const createNest = () => NestFactory.create(AppModule, { logger: false, abortOnError: false });
`;

let folder: CommandFolder;
let exported: string;
beforeAll(() => {
  folder = new CommandFolder({
    'mcp.mjs': `${CLASSES}
      import { exposeNest } from 'toolwright/nest';
      await exposeNest(await createNest(), { name: 'shop', exclude: ['orders.list'], logger: () => undefined });
      console.error('went on');
    `,
    'exported.mjs': `${CLASSES}export default createNest;`,
    'nothing.mjs': 'export const nothing = 1;',
  });
  exported = join(folder.path, 'exported.mjs');
});
afterAll(() => {
  folder.remove();
});

async function plan(...args: readonly string[]): Promise<ApiPlan> {
  const { code, stdout, stderr } = await runInProcess(['import', 'nest', exported, '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as ApiPlan;
}

describe('toolwright import nest', () => {
  test('shows what exposeNest() would offer, which goes no further, and counts as toolwright tokens does', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['import', 'nest', 'mcp.mjs', '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { total, groups, operations } = JSON.parse(stdout) as ApiPlan;
    const counted = await folder.run(['tokens', 'mcp.mjs', '--json']);
    const report = JSON.parse(counted.stdout) as {
      readonly tokens: number;
      readonly tools: readonly { readonly name: string; readonly tokens: number }[];
      readonly actions: Readonly<
        Record<string, readonly { readonly key: string; readonly tokens: number }[]>
      >;
    };
    expect(total).toMatchObject({ actions: 4, tokens: report.tokens });
    const byName = (list: readonly { readonly name: string; readonly tokens: number }[]) =>
      Object.fromEntries(list.map(({ name, tokens }) => [name, tokens]));
    expect(byName(groups)).toEqual(byName(report.tools));
    const remove = operations.find(({ key }) => key === 'DELETE /tasks/{id}');
    expect(remove?.tokens).toBe(report.actions['tasks']?.find(({ key }) => key === 'remove')?.tokens);
  });

  test('is a table of an application that a file exports, with the reason of each route that is left out', async () => {
    const { code, stdout, stderr } = await runInProcess(['import', 'nest', exported, '--plan']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^group +actions +reads +writes +tokens +left out\ntasks +3 +2 +1 +\d+\norders +2 +1 +1 +\d+ +1 health, 1 auth\nall tools +5 +3 +2 +\d+\n/,
    );
    expect(stdout).toMatch(
      /Left out:\n {2}GET \/orders\/health: health; [^\n]+\n {2}POST \/orders\/login: auth; /,
    );
  });

  test('ends with 1 above the limit, with a line that works', async () => {
    const over = await runInProcess(['import', 'nest', exported, '--max-actions', '4']);
    expect(over.code).toBe(1);
    expect(over.stderr).toMatch(
      /TW_OPERATIONS_TOO_MANY[^]*tasks 3\s\(\d+ tokens\),\sorders 2\s\(\d+\stokens\)/,
    );
    const [, line = ''] = /^Try: (.*)$/m.exec(over.stderr) ?? [];
    const args = [...line.matchAll(/--include '([^']*)'/g)].flatMap(([, each = '']) => ['--include', each]);
    expect(args).toEqual(['--include', 'orders.*']);
    expect((await plan(...args, '--max-actions', '4')).total.actions).toBe(2);
    const dear = await runInProcess(['import', 'nest', exported, '--max-tokens', '150']);
    expect(dear.stderr).toMatch(/actions of \d+ tokens, and at most 150/);
  });

  test('writes what is selected, route by route, and keeps what the file says about actions', async () => {
    const file = join(folder.path, 'chosen.json');
    folder.write('chosen.json', '{"version":1,"actions":{"tasks.remove":{"confirm":true}}}');
    const line = ['import', 'nest', exported, '--include', 'tasks.*', '--write', '-o', file];
    expect((await runInProcess(line)).stderr).toContain('curation:');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      include: ['GET /tasks', 'GET /tasks/{id}', 'DELETE /tasks/{id}'],
      maxActions: 3,
      actions: { 'tasks.remove': { confirm: true } },
    });
    const before = readFileSync(file, 'utf8');
    await runInProcess(['import', 'nest', exported, '--max-actions', '1', '--write', '-o', file]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('says what it needs', async () => {
    const unknown = await runInProcess(['import', 'express', exported]);
    expect(unknown.stderr).toMatch(/TW_CLI_ARGUMENT[^]*toolwright import nest server\.ts/);
    const { exitCode, stderr } = await folder.run(['import', 'nest', 'nothing.mjs']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('TW_CLI_ENTRY_EMPTY'),
    });
  });
});
