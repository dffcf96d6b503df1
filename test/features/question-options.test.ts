import { describe, expect, test } from '@jest/globals';
import { McpApplication, InMemoryOnceStore, type CallToolResult } from 'toolwright';
import { answer, AskingModule, CAPABILITIES, events } from '../support/asking-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { connect2026 } from '../support/app-of-2026.ts';
import { textOf } from '../support/text-of.ts';

const logger = new MemoryLogger();

describe('options', () => {
  const create = (options: object): Promise<McpApplication> => McpApplication.create(AskingModule, options);

  test.each([
    ['secrets', []],
    ['secrets', 'a text that is long enough to be a secret'],
    ['secrets', ['too short']],
    ['secrets', [new Uint8Array(31)]],
    ['secrets', ['x'.repeat(32), 7]],
    ['onceStore', { add: () => undefined }],
    ['questionTtl', 0],
    ['questionTtl', Number.NaN],
    ['questionTtl', '10 minutes'],
  ])('%s refuses %p', async (option, value) => {
    const refused = create({ [option]: value }).catch(
      (error: unknown) => error as Error & { readonly code: string },
    );
    expect(await refused).toMatchObject({ problems: [{ code: 'TW_APPLICATION_OPTION' }] });
    expect(((await refused) as Error).message).toContain(`sets ${option} to `);
    expect(((await refused) as Error).message).not.toContain('too short');
  });

  test('secrets and a store let another instance go on, and answer once', async () => {
    const shared = { secrets: ['s'.repeat(32)], onceStore: new InMemoryOnceStore(), name: 'visits', logger };
    const instances = [await create(shared), await create(shared)];
    let turn = 0;
    const passing = { attach: (server: unknown) => instances[turn++ % 2]?.attach(server) };
    const client = answer(await connect2026(passing, { capabilities: CAPABILITIES }));
    events.length = 0;
    const result = await client.callTool({ name: 'visit', arguments: { action: 'five' } });
    expect(JSON.parse(textOf(result as CallToolResult))).toHaveLength(5);
    expect(events.filter((event) => event.endsWith('?'))).toHaveLength(5);
    expect(turn).toBeGreaterThanOrEqual(6);
    await client.close();
    await Promise.all(instances.map((instance) => instance.close()));
  });

  test('without secrets another instance refuses', async () => {
    const instances = [await create({ logger }), await create({ logger })];
    let calls = 0;
    const passing = {
      attach: (server: unknown) => {
        calls += 1;
        return instances[calls % 2]?.attach(server);
      },
    };
    const client = answer(await connect2026(passing, { capabilities: CAPABILITIES }));
    const call = client.callTool({ name: 'visit', arguments: { action: 'five' } });
    await expect(call).rejects.toMatchObject({ code: -32602 });
    await client.close();
    await Promise.all(instances.map((instance) => instance.close()));
  });
});
