import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import {
  Complete,
  Injectable,
  Module,
  Prompt,
  ProtocolError,
  type ListedPrompt,
  ToolError,
} from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, Refusal } from '../support/connections/feature-client.ts';

class Review {
  @IsString() language!: string;
  @IsOptional() @IsString() path?: string;
}

const languages: ListedPrompt[] = [];

@Injectable()
class Reviews {
  @Prompt({ name: 'review_{language}', title: 'Review', description: 'Review a file', list: 'languages' })
  review({ language, path }: Review): string {
    if (language === 'cobol') throw new ProtocolError(-32602, 'Nobody reads cobol');
    return `${language} ${path ?? 'everything'}`;
  }

  @Prompt('Of its own') review_all(): string {
    return 'all';
  }

  @Complete('review', 'path') paths(value: string): readonly string[] {
    return [`${value}/index`];
  }

  languages(): readonly ListedPrompt[] {
    return languages;
  }
}

@Module({ controllers: [Reviews] })
class ReviewModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, ReviewModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());

  const textOf = async (name: string, args: Record<string, string> = {}): Promise<unknown> => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    return messages[0]?.content;
  };

  test('lists what the list method gives at that time, without the argument that the name says', async () => {
    languages.splice(0, 9, { name: 'review_go' }, { name: 'review_rust', title: 'Rust', description: 'R.' });
    const { prompts } = await client.listPrompts();
    const path = expect.objectContaining({ name: 'path', required: false });
    expect(prompts).toEqual([
      expect.objectContaining({ name: 'review_all' }),
      { name: 'review_go', title: 'Review', description: 'Review a file', arguments: [path] },
      { name: 'review_rust', title: 'Rust', description: 'R.', arguments: [path] },
    ]);
    languages.splice(0, 9, { name: 'review_all' });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['review_all']);
  });

  test('hands the variable to the method, which the arguments cannot replace', async () => {
    expect(await textOf('review_go', { path: 'a.go' })).toMatchObject({ text: 'go a.go' });
    expect(await textOf('review_go', { language: 'rust' })).toMatchObject({ text: 'go everything' });
    expect(await textOf('review_all')).toMatchObject({ text: 'all' });
  });

  test('refuses what the method refuses, and names that fit nothing', async () => {
    expect(await client.refusal('prompts/get', { name: 'review_cobol' })).toMatchObject({
      code: -32602,
      message: 'Nobody reads cobol',
    });
    expect(await client.refusal('prompts/get', { name: 'review_' })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Available: review_all, review_{language}'),
    });
  });

  test('completes arguments of a prompt of the family', async () => {
    const argument = { name: 'path', value: 'src' };
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'review_go' },
      argument,
    });
    expect(completion.values).toEqual(['src/index']);
  });

  test('answers a wrong list with an error that names the entry', async () => {
    languages.splice(0, 9, { name: 'rust' });
    expect(await client.refusal('prompts/list')).toMatchObject({
      code: -32603,
      message: expect.stringContaining('review_{language}'),
    });
  });
});

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
