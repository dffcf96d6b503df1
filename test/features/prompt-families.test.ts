import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import { Complete, Injectable, Module, Prompt, ProtocolError, type ListedPrompt } from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';

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
