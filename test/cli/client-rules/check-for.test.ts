import { expect, test } from '@jest/globals';
import { Action, McpApplication, Module, ReadOnly, ToolGroup, type ApplicationOptions } from 'toolwright';
import { checkForClients } from '../../../src/cli/client-rules/check-for.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  @ReadOnly() @Action('List them') list(): string {
    return 'none';
  }
  @Action('Add one') add(): string {
    return 'done';
  }
}
@Module({ controllers: [Notes] })
class NotesModule {}

/** What is found for clients, and how often the tools were read. */
async function find(surface: NonNullable<ApplicationOptions['surface']>, clients: string, profiles?: string) {
  const options = { name: 'notes', surface, logger: new MemoryLogger() } as const;
  const application = await McpApplication.create(NotesModule, options);
  let reads = 0;
  const { registry, definitions, model } = application;
  const counted = {
    ...{ sets: registry.sets, settings: registry.settings },
    surfaceFor: (fit: Parameters<typeof registry.surfaceFor>[0]) => registry.surfaceFor(fit),
    listed: (on: Parameters<typeof registry.listed>[0]) => {
      reads += 1;
      return registry.listed(on);
    },
  };
  const created = { application: { registry: counted, definitions, model }, options } as never;
  const found = await checkForClients(
    { created, file: '/server.ts' },
    { for: clients, ...(profiles === undefined ? {} : { profiles }) },
    'text',
  );
  await application.close();
  return { reads, codes: found.all.map(({ code, client }) => `${String(client)} ${code}`) };
}

const ACME = {
  clients: {
    acme: {
      title: 'Acme',
      match: ['acme'],
      facts: {
        'name.length': { value: 5, source: 'https://example.com', date: '2026-11-26', sure: 'docs' },
      },
      choices: { surface: 'flat' },
    },
  },
} as const;

test('counts what the application says of clients, as its server does', async () => {
  const { codes } = await find({ use: 'auto', profiles: ACME, clients: { zed: 'own' } }, 'acme,zed,goose');
  expect(codes.filter((code) => /^acme/.test(code))).toEqual([
    'acme TW_FOR_NAME_LENGTH',
    'acme TW_FOR_NAME_LENGTH',
  ]);
  await expect(find('auto', 'acme')).rejects.toThrow(/"acme"/);
});

test('reads a surface once for all clients that get it', async () => {
  const one = await find('auto', 'claude');
  expect(await find('auto', 'claude,claude-code,cursor,goose,zed')).toMatchObject({ reads: one.reads });
  expect((await find('auto', 'claude,chatgpt')).reads).toBe(one.reads * 2);
  expect((await find('own', 'all')).reads).toBe(one.reads);
});
