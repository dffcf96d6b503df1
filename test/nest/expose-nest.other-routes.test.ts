import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from 'toolwright';
import { exposeNest, type ExposeNestOptions } from 'toolwright/nest';
import { textOf } from '../support/text-of.ts';
import { loadNest, type Listening } from './shop.ts';

const library = loadNest(11);
const { common: nest, core } = library;
const ran: string[] = [];

@nest.Controller('tasks')
class TasksController {
  @nest.Delete('all') purge(): void {
    ran.push('purge');
  }
  @nest.Delete(['oldest', 'first']) removeOldest(): void {
    ran.push('removeOldest');
  }
  @nest.All('reset') reset(): void {
    ran.push('reset');
  }
  @nest.Delete() removeEvery(): void {
    ran.push('removeEvery');
  }
  @nest.Delete(':id') remove(@nest.Param('id') id: string): string {
    ran.push(`remove ${id}`);
    return 'removed';
  }
}

@nest.Controller()
class PagesController {
  @nest.Get('health') health(): void {
    ran.push('health');
  }
  @nest.Get(':page') show(@nest.Param('page') page: string): string {
    ran.push(`show ${page}`);
    return page;
  }
  @nest.Post(':page') write(@nest.Param('page') page: string): void {
    ran.push(`write ${page}`);
  }
}

class SitesModule {}
nest.Module({ controllers: [TasksController, PagesController] })(SitesModule);

@nest.Controller('notes')
class NotesController {
  @nest.Delete() clear(): void {
    ran.push('clear');
  }
  @nest.Put(':id') replace(@nest.Param('id') id: string): void {
    ran.push(`replace ${id}`);
  }
  @nest.Put(':name') rename(@nest.Param('name') name: string): void {
    ran.push(`rename ${name}`);
  }
}

@nest.Controller()
class NoteController {
  @nest.Delete('notes{/:id}') removeNote(@nest.Param('id') id: string): void {
    ran.push(`removeNote ${id}`);
  }
}

/** Fastify does not start with such routes. */
class NotesModule {}
nest.Module({ controllers: [NotesController, NoteController] })(NotesModule);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
beforeEach(() => {
  ran.length = 0;
});

async function createSites(
  platform: 'express' | 'fastify',
  module: object = SitesModule,
): Promise<Listening> {
  const options = { logger: false, abortOnError: false } as object;
  const app: unknown = await core.NestFactory.create(module as never, library[platform]() as never, options);
  ends.push(() => (app as Listening).close());
  return app as Listening;
}

async function connect(app: Listening, options: ExposeNestOptions) {
  await exposeNest(app, { logger: () => undefined, ...options });
  await app.listen(0, '127.0.0.1');
  const client = new Client({ name: 'tester', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${await app.getUrl()}/mcp`)));
  ends.push(() => client.close());
  return async (name: string, args: object): Promise<string> =>
    textOf((await client.callTool({ name, arguments: { ...args } })) as CallToolResult);
}

describe.each(['express', 'fastify'] as const)('on %s', (platform) => {
  test('a value in a path reaches no other route, whether that is offered, excluded or left out', async () => {
    const call = await connect(await createSites(platform), {
      exclude: ['tasks.purge', 'tasks.removeOldest'],
    });
    for (const id of ['all', 'ALL', 'all/', '%61ll', 'oldest', 'first', 'reset']) {
      const refused = await call('tasks', { action: 'remove', id });
      expect(refused).toContain('id: this value leads to another route');
      expect(refused).toContain('Code: VALIDATION_FAILED');
    }
    for (const page of ['health', 'tasks/reset'])
      expect(await call('pages', { action: 'show', page })).toContain('Code: VALIDATION_FAILED');
    expect(ran).toEqual([]);
    expect(await call('tasks', { action: 'remove', id: 'all-1' })).toBe('removed');
    expect(await call('pages', { action: 'show', page: 'about' })).toBe('about');
    expect(ran).toEqual(['remove all-1', 'show about']);
  });

  test('nor does it reach the endpoint itself', async () => {
    const call = await connect(await createSites(platform), {});
    for (const page of ['mcp', 'MCP', 'mcp/flat'])
      expect(await call('pages', { action: 'write', page })).toMatch(
        /^.*page: this value leads to another route/,
      );
    expect(ran).toEqual([]);
  });
});

test('an optional value cannot be left out where that is another route', async () => {
  const call = await connect(await createSites('express', NotesModule), { exclude: ['notes.clear'] });
  expect(await call('note', { action: 'removeNote' })).toContain(
    'id: without it, the path is that of another',
  );
  expect(ran).toEqual([]);
  expect(await call('note', { action: 'removeNote', id: '7' })).toBe('OK');
  expect(ran).toEqual(['removeNote 7']);
});

test('a route that an equal one hides is not offered in its place', async () => {
  const call = await connect(await createSites('express', NotesModule), { exclude: ['notes.replace'] });
  expect(await call('notes', { action: 'rename', name: 'a' })).toContain('Code: UNKNOWN_ACTION');
  expect(ran).toEqual([]);
});

test('nor does a value reach a route that the application gave to Express itself', async () => {
  const app = await createSites('express');
  const express = app.getHttpAdapter() as { delete(path: string, run: () => void): void };
  express.delete('/tasks/by-hand{/now}', () => void ran.push('by hand'));
  const call = await connect(app, {});
  const refused = await call('tasks', { action: 'remove', id: 'by-hand' });
  expect(refused).toContain('id: this value leads to another route');
  expect(ran).toEqual([]);
});
