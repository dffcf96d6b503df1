import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Injectable, Module, Prompt, ProtocolError, ToolError } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, Refusal } from '../support/connections/feature-client.ts';

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

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, FailingModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());

  describe('a prompt that fails', () => {
    const get = (params: Record<string, unknown>): Promise<Refusal> => client.refusal('prompts/get', params);

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
    const empty = await createConnectedApplication(kind, EmptyModule);
    const other = await empty.client();
    expect(other.getServerCapabilities()).toEqual({
      logging: {},
      tools: kind.promisesChanges ? { listChanged: true } : {},
    });
    for (const method of ['prompts/list', 'resources/list', 'completion/complete']) {
      expect(await other.refusal(method, {})).toMatchObject({ code: -32601 });
    }
    await empty.close();
  });
});
