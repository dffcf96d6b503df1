import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  assistantMessage,
  audio,
  content,
  embeddedResource,
  Field,
  image,
  Injectable,
  Module,
  Prompt,
  resourceLink,
  text,
  ToolContext,
  userMessage,
  type GetPromptResult,
  type PromptMessage,
} from 'toolwright';
import { eventually } from '../support/eventually.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';

const ICONS = [{ src: 'https://example.com/review.svg', mimeType: 'image/svg+xml', sizes: ['any'] }];

class Review {
  @IsString() @Field('Path of the file') path!: string;
  @IsInt() @Min(1) @Max(5) @Field({ title: 'Depth', description: 'How deep to look' }) depth = 2;
  @IsOptional() @IsBoolean() strict?: boolean;
}

class Sure {
  @IsBoolean() isSure!: boolean;
}

@Injectable()
class ReviewPrompts {
  @Prompt({
    title: 'Review a file',
    description: 'Asks for a review',
    icons: ICONS,
    meta: { 'example.com/owner': 'docs' },
  })
  review(input: Review): string {
    return `${String(input instanceof Review)} ${JSON.stringify(input)}`;
  }

  @Prompt('A talk about a picture')
  talk(): readonly (PromptMessage | readonly PromptMessage[])[] {
    return [
      userMessage(text('Look at this', { audience: ['assistant'], priority: 1 })),
      userMessage([image(new Uint8Array([1, 2]), 'image/png'), audio('AQI=', 'audio/wav')]),
      assistantMessage(resourceLink({ uri: 'docs://chart', name: 'chart', mimeType: 'image/png' })),
      assistantMessage(embeddedResource({ uri: 'docs://notes', mimeType: 'text/markdown', text: '# Notes' })),
    ];
  }

  @Prompt({ name: 'whole-result' }) whole(): GetPromptResult {
    return { description: 'Made by hand', messages: [userMessage('Hello')], _meta: { version: 2 } };
  }

  @Prompt() mixed(): unknown {
    return content('One', text('Two'));
  }

  @Prompt() async *slow(ctx: ToolContext): AsyncGenerator<unknown, string> {
    yield 'reading';
    yield { progress: 2, total: 2, message: 'writing' };
    return `for ${ctx.client.name ?? ''}`;
  }

  @Prompt() async asks(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'Really?');
    return answer.action === 'accept' ? `sure: ${String(answer.content.isSure)}` : answer.action;
  }

  @Prompt() async waits(ctx: ToolContext): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      ctx.signal.addEventListener('abort', () => {
        ended.push(String(ctx.signal.reason));
        reject(new Error('stopped'));
      });
    });
    await ctx.progress(1);
    return stopped;
  }
}

@Module({ controllers: [ReviewPrompts] })
class ReviewModule {}

const ended: string[] = [];
describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, ReviewModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    ended.length = 0;
  });

  const textOf = async (name: string, args?: Record<string, string>): Promise<string> => {
    const { messages } = await client.getPrompt({ name, ...(args === undefined ? {} : { arguments: args }) });
    const [message] = messages as { content: { text: string } }[];
    return message?.content.text ?? '';
  };

  describe('prompts', () => {
    test('are listed with title, description, icons, _meta and the arguments of their DTO', async () => {
      // the SDK drops the titles of arguments
      const { prompts } = (await client.send('prompts/list', {})) as { prompts: { name: string }[] };
      expect(prompts[0]).toEqual({
        name: 'review',
        title: 'Review a file',
        description: 'Asks for a review',
        icons: ICONS,
        _meta: { 'example.com/owner': 'docs' },
        arguments: [
          { name: 'path', description: 'Path of the file', required: true },
          { name: 'depth', title: 'Depth', description: 'How deep to look', required: false },
          { name: 'strict', required: false },
        ],
      });
      expect(prompts[1]).toEqual({ name: 'talk', title: 'Talk', description: 'A talk about a picture' });
      expect(prompts.map(({ name }) => name)).toContain('whole-result');
    });

    test('get an instance of the DTO, converted from the strings that clients send', async () => {
      expect(await textOf('review', { path: 'a.ts', depth: '4', strict: 'true' })).toBe(
        'true {"path":"a.ts","depth":4,"strict":true}',
      );
      expect(await textOf('review', { path: 'a.ts' })).toBe('true {"path":"a.ts","depth":2}');
    });

    test('send every kind of content', async () => {
      const { messages } = await client.getPrompt({ name: 'talk' });
      expect(messages).toEqual([
        {
          role: 'user',
          content: {
            type: 'text',
            text: 'Look at this',
            annotations: { audience: ['assistant'], priority: 1 },
          },
        },
        { role: 'user', content: { type: 'image', data: 'AQI=', mimeType: 'image/png' } },
        { role: 'user', content: { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' } },
        {
          role: 'assistant',
          content: { type: 'resource_link', uri: 'docs://chart', name: 'chart', mimeType: 'image/png' },
        },
        {
          role: 'assistant',
          content: {
            type: 'resource',
            resource: { uri: 'docs://notes', mimeType: 'text/markdown', text: '# Notes' },
          },
        },
      ]);
    });

    test('give a whole result, or the blocks of a mixed one as messages of the user', async () => {
      const serverInfo = { 'io.modelcontextprotocol/serverInfo': client.getServerVersion() };
      expect(await client.getPrompt({ name: 'whole-result' })).toEqual({
        description: 'Made by hand',
        messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
        // Spec 2026-07-28: every result says which server made it.
        _meta: { version: 2, ...(kind.era === '2026' ? serverInfo : {}) },
      });
      expect((await client.getPrompt({ name: 'mixed' })).messages).toMatchObject([
        { role: 'user', content: { text: 'One' } },
        { role: 'user', content: { text: 'Two' } },
      ]);
    });

    test('report progress from a generator', async () => {
      const seen: unknown[] = [];
      const result = await client.getPrompt(
        { name: 'slow' },
        { onprogress: (progress) => seen.push(progress) },
      );
      expect(result.messages).toMatchObject([{ content: { text: `for ${kind.clientName ?? ''}` } }]);
      expect(seen).toEqual([
        { progress: 1, message: 'reading' },
        { progress: 2, total: 2, message: 'writing' },
      ]);
    });

    test('ask the user', async () => {
      const asking = await app.connect({
        onElicitation: () => ({ action: 'accept', content: { isSure: true } }),
      });
      if (!kind.canBeAsked) {
        expect(await asking.refusal('prompts/get', { name: 'asks' })).toMatchObject({
          code: -32603,
          data: { code: 'CLIENT_CAPABILITY_MISSING', details: { capability: 'elicitation' } },
        });
        return;
      }
      expect(await asking.getPrompt({ name: 'asks' })).toMatchObject({
        messages: [{ content: { text: 'sure: true' } }],
      });
    });

    test('end when the client cancels, and if they cannot learn that, with the application', async () => {
      const own = await createConnectedApplication(kind, ReviewModule, {
        logger: new MemoryLogger(),
        drainTimeout: 1,
      });
      const controller = new AbortController();
      const answer = (await own.client()).getPrompt(
        { name: 'waits' },
        { signal: controller.signal, onprogress: () => controller.abort('enough') },
      );
      await expect(answer).rejects.toThrow('enough');
      if (kind.givesUpBy === 'nothing') {
        expect(ended).toEqual([]);
        await own.close();
      }
      await eventually(() => ended.length > 0);
      expect(ended).toEqual([
        kind.givesUpBy === 'message' ? 'enough' : expect.stringMatching(/closed|aborted/),
      ]);
      await own.close();
    });
  });
});
