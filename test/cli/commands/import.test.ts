import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiPlan } from 'toolwright/nest';
import { CommandFolder } from '../../support/command-line.ts';

/** A file as users write it, with decorators that are called: no compiler is needed. */
const SERVER = `
  import 'reflect-metadata';
  import { Controller, Delete, Get, Module, Param, Post, Query } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';
  import { exposeNest } from 'toolwright/nest';

  @Controller('tasks')
  class TasksController {
    @Get() find(@Query('text') text: string) { return { text }; }
    @Get(':id') read(@Param('id') id: string) { return { id }; }
    @Delete(':id') remove(@Param('id') id: string) { return { id }; }
  }
  @Controller('orders')
  class OrdersController {
    @Get() list() { return []; }
    @Post(':id/pay') pay(@Param('id') id: string) { return { id }; }
    @Get('health') health() { return 'ok'; }
    @Post('login') login() { return 'token'; }
  }
  @Module({ controllers: [TasksController, OrdersController] })
  export class AppModule {}

  const nest = await NestFactory.create(AppModule, { logger: false });
  const options = JSON.parse(process.env['OPTIONS'] ?? '{}');
  await exposeNest(nest, { name: 'shop', logger: () => undefined, ...options });
  console.error('went on');
  export const mcp = undefined;
`;

let folder: CommandFolder;
beforeAll(() => {
  folder = new CommandFolder({ 'mcp.ts': SERVER });
});
afterAll(() => {
  folder.remove();
});

async function plan(args: readonly string[], options: object = {}): Promise<ApiPlan> {
  const end = await folder.run(['import', 'nest', 'mcp.ts', '--plan', '--json', ...args], {
    OPTIONS: JSON.stringify(options),
  });
  expect({ stderr: end.stderr, exitCode: end.exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return JSON.parse(end.stdout) as ApiPlan;
}

describe('toolwright import nest', () => {
  test('shows each group with its tokens, and why each of the others is left out; nothing is served', async () => {
    const { exitCode, stdout, stderr } = await folder.run(['import', 'nest', 'mcp.ts', '--plan']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^group +actions +reads +writes +tokens +left out\ntasks +3 +2 +1 +\d+\norders +2 +1 +1 +\d+ +1 health, 1 auth\nall tools +5 +3 +2 +\d+\n/,
    );
    expect(stdout).toMatch(
      /Left out:\n {2}GET \/orders\/health: health; [^\n]+\n {2}POST \/orders\/login: auth; /,
    );
  });

  test('counts what toolwright tokens counts of the result', async () => {
    const { total, groups, operations } = await plan([]);
    const counted = await folder.run(['tokens', 'mcp.ts', '--json']);
    const report = JSON.parse(counted.stdout) as {
      readonly tokens: number;
      readonly tools: readonly { readonly name: string; readonly tokens: number }[];
      readonly actions: Readonly<
        Record<string, readonly { readonly key: string; readonly tokens: number }[]>
      >;
    };
    expect(total.tokens).toBe(report.tokens);
    const byName = (list: readonly { readonly name: string; readonly tokens: number }[]) =>
      Object.fromEntries(list.map(({ name, tokens }) => [name, tokens]));
    expect(byName(groups)).toEqual(byName(report.tools));
    const remove = operations.find(({ key }) => key === 'DELETE /tasks/{id}');
    expect(remove?.tokens).toBe(report.actions['tasks']?.find(({ key }) => key === 'remove')?.tokens);
  });

  test('ends with 1 above the limit, with a line that works', async () => {
    const over = await folder.run(['import', 'nest', 'mcp.ts', '--max-actions', '4']);
    expect(over.exitCode).toBe(1);
    expect(over.stderr).toMatch(/TW_OPERATIONS_TOO_MANY[^]*tasks 3 \(\d+ tokens\), orders 2 \(\d+ tokens\)/);
    const [, line = ''] = /^Try: (.*)$/m.exec(over.stderr) ?? [];
    const args = [...line.matchAll(/--include '([^']*)'/g)].flatMap(([, pattern = '']) => [
      '--include',
      pattern,
    ]);
    expect(args).toEqual(['--include', 'orders.*']);
    expect((await plan([...args, '--max-actions', '4'])).total.actions).toBe(2);
  });

  test('writes what is selected, and exposeNest() reads it', async () => {
    const written = await folder.run(['import', 'nest', 'mcp.ts', '--include', 'tasks.*', '--write']);
    expect(written.stderr).toContain("curation: './toolwright.api.json'");
    const text = readFileSync(join(folder.path, 'toolwright.api.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      version: 1,
      include: ['GET /tasks', 'GET /tasks/{id}', 'DELETE /tasks/{id}'],
      maxActions: 3,
      actions: {},
    });
    folder.write(
      'toolwright.api.json',
      JSON.stringify({
        ...(JSON.parse(text) as object),
        actions: { 'tasks.remove': { name: 'purge', title: 'File' } },
      }),
    );
    const own = { curation: './toolwright.api.json', actions: { 'tasks.remove': { title: 'Option' } } };
    const { operations } = await plan([], own);
    expect(operations.filter(({ leftOut }) => leftOut === undefined).map(({ name }) => name)).toEqual([
      'find',
      'read',
      'purge',
    ]);
  });

  test('takes an application that a file exports, or a promise of one, and says what it needs', async () => {
    const exported = SERVER.replace(/await exposeNest[^;]*;/, 'export default nest;');
    folder.write('exported.ts', exported);
    folder.write('nothing.ts', 'export const nothing = 1;');
    const end = await folder.run(['import', 'nest', 'exported.ts', '--json']);
    expect((JSON.parse(end.stdout) as ApiPlan).total.actions).toBe(5);
    const empty = await folder.run(['import', 'nest', 'nothing.ts']);
    expect(empty.stderr).toContain('TW_CLI_ENTRY_EMPTY');
    expect((await folder.run(['import', 'express', 'mcp.ts'])).stderr).toMatch(/nest/);
  });
});
