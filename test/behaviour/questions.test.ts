import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  isSuspension,
  type CallToolResult,
  type MiddlewareCall,
  type Next,
  McpApplication,
  InMemoryStore,
} from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { answer, AskingModule, CAPABILITIES, events, ROOTS, SAID } from '../support/asking-app.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { connect2026 } from '../support/app-of-2026.ts';
import { factsOf, textOf } from '../support/text-of.ts';

const failures: string[] = [];

async function watch({ name }: MiddlewareCall, next: Next): Promise<unknown> {
  try {
    return await next();
  } catch (error) {
    if (!isSuspension(error)) failures.push(name);
    throw error;
  }
}

const logger = new MemoryLogger();
let app: TestApplication;
let in2026: Client;

beforeAll(async () => {
  app = await createTestApplication(AskingModule, { logger, middleware: [watch] });
  const client = await connect2026(app.app, { capabilities: CAPABILITIES });
  in2026 = answer(client);
});
afterAll(async () => {
  await in2026.close();
  await app.close();
});

/** The result of a client of 2026-07-28, and of one of 2025-11-25. */
async function inBothEras(
  action: string,
): Promise<readonly (readonly [CallToolResult, readonly string[]])[]> {
  const in2025 = await app.connect({
    onElicitation: ({ message }) => ({ action: 'accept', content: { name: message } }),
    onSampling: () => ({ ...SAID, content: { ...SAID.content } }),
    roots: ROOTS,
  });
  const results: (readonly [CallToolResult, readonly string[]])[] = [];
  for (const client of [in2026, in2025]) {
    events.length = 0;
    const result = await client.callTool({ name: 'visit', arguments: { action } });
    results.push([result as CallToolResult, [...events]]);
  }
  return results;
}

describe('a call that asks', () => {
  beforeEach(() => {
    failures.length = logger.records.length = 0;
  });
  // A question is a failure neither for a middleware nor for the log
  afterEach(() => {
    expect(failures).toEqual([]);
    expect(logger.records.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test('goes on with five answers in a row, doing each step once, in both eras', async () => {
    for (const [result, seen] of await inBothEras('five')) {
      expect(JSON.parse(textOf(result))).toEqual(['One?', 'Two?', 'Three?', 'Four?', 'Five?']);
      expect(seen.filter((event) => event.endsWith('?'))).toEqual([
        'One?',
        'Two?',
        'Three?',
        'Four?',
        'Five?',
      ]);
      // every round has a scope of its own, which ends with it
      expect(seen.filter((event) => event === 'made')).toHaveLength(6);
      expect(seen.filter((event) => event === 'disposed')).toHaveLength(6);
    }
  });

  test('asks for three kinds at once', async () => {
    for (const [result, seen] of await inBothEras('together')) {
      expect(JSON.parse(textOf(result))).toEqual({
        named: 'Who?',
        said: 'Paris',
        roots: ROOTS,
        isThere: true,
      });
      expect(seen).toEqual(['made', 'disposed', 'made', 'disposed']);
    }
  });

  test('sends to a page', async () => {
    for (const [result] of await inBothEras('page')) expect(textOf(result)).toBe('accept');
  });

  test('may be a generator, whose finally blocks run', async () => {
    for (const [result, seen] of await inBothEras('counting')) {
      expect(textOf(result)).toBe('Who?');
      expect(seen.filter((event) => event === 'generator over')).toHaveLength(2);
    }
  });

  test('may be a prompt or a resource', async () => {
    const { messages } = await in2026.getPrompt({ name: 'explain', arguments: { topic: 'DI' } });
    expect(messages).toMatchObject([{ content: { text: 'Explain DI to For whom?' } }]);
    const { contents } = await in2026.readResource({ uri: 'note://DI' });
    expect(contents).toMatchObject([{ uri: 'note://DI', text: 'All of DI' }]);
  });
});

describe('what a client cannot be asked', () => {
  let unable: Client;
  beforeAll(async () => {
    unable = await connect2026(app.app);
  });
  afterAll(() => unable.close());

  test('gets the error that 2026-07-28 has for it', async () => {
    const call = unable.callTool({ name: 'visit', arguments: { action: 'unable' } });
    await expect(call).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    });
    const page = unable.callTool({ name: 'visit', arguments: { action: 'page' } });
    await expect(page).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    const prompt = unable.getPrompt({ name: 'explain', arguments: { topic: 'DI' } });
    await expect(prompt).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });

  test('gets a result in earlier revisions', async () => {
    const result = await (await app.connect()).callTool({ name: 'visit', arguments: { action: 'unable' } });
    expect(factsOf(result as CallToolResult)).toMatchObject({ code: 'CLIENT_CAPABILITY_MISSING' });
  });

  test('may be done without', async () => {
    const result = await unable.callTool({ name: 'visit', arguments: { action: 'careful' } });
    expect(textOf(result as CallToolResult)).toBe('without a model');
  });
});

test('a handler that asks with other words each time is refused in every era', async () => {
  for (const [result] of await inBothEras('moody')) {
    expect(result.isError).toBe(true);
    expect(factsOf(result)).toMatchObject({ code: 'REPLAY_DIVERGED' });
  }
});

describe('options', () => {
  const create = (options: object): Promise<McpApplication> => McpApplication.create(AskingModule, options);

  test.each([
    ['secrets', []],
    ['secrets', 'a text that is long enough to be a secret'],
    ['secrets', ['too short']],
    ['secrets', [new Uint8Array(31)]],
    ['secrets', ['x'.repeat(32), 7]],
    ['backplane.store', { put: () => undefined }],
    ['questionTtl', 0],
    ['questionTtl', Number.NaN],
    ['questionTtl', '10 minutes'],
  ])('%s refuses %p', async (option, value) => {
    const refused = create(
      option === 'backplane.store' ? { backplane: { store: value } } : { [option]: value },
    ).catch((error: unknown) => error as Error & { readonly code: string });
    expect(await refused).toMatchObject({ problems: [{ code: 'TW_APPLICATION_OPTION' }] });
    expect(((await refused) as Error).message).toContain(`sets ${option} to `);
    expect(((await refused) as Error).message).not.toContain('too short');
  });

  test('secrets and a store let another instance go on, and answer once', async () => {
    const shared = {
      secrets: ['s'.repeat(32)],
      backplane: { store: new InMemoryStore() },
      name: 'visits',
      logger,
    };
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
