import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Injectable, Module, Prompt, ProtocolError, ToolError } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { refusalOf } from '../fixtures/attached-client.ts';
import { MemoryLogger } from '../fixtures/fake-surface.ts';

@Injectable()
class FailingPrompts {
  @Prompt() declared(): never {
    throw new ToolError('LOCKED', 'The file is locked', { suggestion: 'unlock it', retryAfter: 3 });
  }

  @Prompt() own(): never {
    throw new ProtocolError(-31999, 'Of its own', { id: 7 });
  }

  @Prompt() broken(): never {
    throw Object.assign(new Error('disk full'), { code: 1, data: 'secret' });
  }

  @Prompt() wrong(): unknown {
    return { text: 'no message' };
  }
}

@Module({ controllers: [FailingPrompts] })
class FailingModule {}

let app: TestApplication;
let client: Client;

beforeAll(async () => {
  app = await createTestApplication(FailingModule, { logger: new MemoryLogger() });
  client = await app.client();
});
afterAll(() => app.close());

describe('a prompt that fails', () => {
  const get = (params: object): ReturnType<typeof refusalOf> => refusalOf(client, 'prompts/get', params);

  test('says its declared error, its own protocol error, and of any other the message alone', async () => {
    expect(await get({ name: 'declared' })).toEqual({
      code: -32603,
      message: '[prompt declared] The file is locked',
      data: { code: 'LOCKED', suggestion: 'unlock it', retryAfter: 3 },
    });
    expect(await get({ name: 'own' })).toEqual({ code: -31999, message: 'Of its own', data: { id: 7 } });
    expect(await get({ name: 'broken' })).toEqual({
      code: -32603,
      message: '[prompt broken] disk full',
      data: { code: 'INTERNAL_ERROR' },
    });
  });

  test('says what a prompt may give when it gave something else', async () => {
    expect(await get({ name: 'wrong' })).toMatchObject({
      code: -32603,
      message: expect.stringContaining('userMessage()'),
      data: { code: 'INVALID_OUTPUT' },
    });
  });
});

test('an application without prompts declares none', async () => {
  @Module()
  class EmptyModule {}
  const empty = await createTestApplication(EmptyModule);
  const other = await empty.client();
  expect(other.getServerCapabilities()).toEqual({ logging: {}, tools: { listChanged: true } });
  for (const method of ['prompts/list', 'resources/list', 'completion/complete']) {
    expect(await refusalOf(other, method, {})).toMatchObject({ code: -32601 });
  }
  await empty.close();
});
