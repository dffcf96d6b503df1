import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { IsBoolean, IsInt, IsString, Matches, Max } from 'class-validator';
import { Action, Complete, Module, Prompt, Resource, ToolContext, ToolGroup } from 'toolwright';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, FeatureClientOptions, Refusal } from '../support/connections/feature-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { factsOf } from '../support/text-of.ts';

class Review {
  @IsString() path!: string;
  @IsInt() @Max(5) depth = 1;
}

const SEGMENT = String.raw`(?!\.{1,2}(?:/|$))[\w. -]+`;

class PagePath {
  /** Relative, without empty and dotted segments. */
  @IsString() @Matches(new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`)) path!: string;
}

class Sure {
  @IsBoolean() isSure!: boolean;
}

const opened: string[] = [];

@ToolGroup('docs')
class DocsTools {
  @Prompt() review({ path, depth }: Review): string {
    return `${path} ${String(depth)}`;
  }

  @Complete('review', 'path') paths(): readonly string[] {
    return ['a.md'];
  }

  @Resource('docs://{+path}') read({ path }: PagePath): string {
    opened.push(path);
    return path;
  }

  @Resource('page://{path}') page({ path }: PagePath): string {
    opened.push(path);
    return path;
  }

  @Action() async drop(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'Drop all?');
    return answer.action === 'accept' ? `dropped: ${String(answer.content.isSure)}` : answer.action;
  }

  @Prompt() async asking(ctx: ToolContext): Promise<string> {
    return (await ctx.ask(Sure, 'Really?')).action;
  }
}

@Module({ controllers: [DocsTools] })
class DocsModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, DocsModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());

  /** Whatever was sent, the server goes on serving. */
  afterEach(async () => {
    expect((await client.readResource({ uri: 'docs://a/b.md' })).contents).toMatchObject([
      { text: 'a/b.md' },
    ]);
    expect(await client.getPrompt({ name: 'review', arguments: { path: 'a' } })).toMatchObject({
      messages: [{ content: { text: 'a 1' } }],
    });
    opened.length = 0;
  });

  describe('prompts/get', () => {
    const get = (params: unknown): Promise<Refusal> =>
      client.refusal('prompts/get', params as Record<string, unknown>);

    test.each([['reviews'], ['Review'], [''], ['__proto__'], ['constructor'], ['a\0b']])(
      'knows no prompt %j, and says which there are',
      async (name) => {
        expect(await get({ name })).toMatchObject({
          code: -32602,
          message: `Unknown prompt ${JSON.stringify(name)}. Available: review, asking`,
          data: { available: ['review', 'asking'] },
        });
      },
    );

    test.each<[string, object, string, object]>([
      ['is missing', {}, 'path', { received: 'nothing' }],
      ['is of the wrong type', { path: 'a', depth: 'deep' }, 'depth', { received: 'string "deep"' }],
      ['is too large', { path: 'a', depth: '9' }, 'depth', { received: 'number 9' }],
      ['is unknown', { path: 'a', pth: 'b' }, 'pth', { suggestion: 'path' }],
      ['is a part of the prototype', JSON.parse('{"path":"a","__proto__":"b"}') as object, '__proto__', {}],
    ])('names an argument that %s', async (_what, args, path, facts) => {
      const { code, message, data } = await get({ name: 'review', arguments: args });
      expect([code, message.startsWith('Validation failed: ')]).toEqual([-32602, true]);
      expect(data).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path, ...facts }] });
    });

    test.each([[{ path: 1 }], ['text'], [[]]])('takes no arguments like %j', async (args) => {
      expect(await get({ name: 'review', arguments: args })).toMatchObject({
        code: -32602,
        message: expect.stringMatching(
          /^arguments(\.path)? must be (a string|an object of strings), but is /,
        ),
      });
    });
  });

  describe('a variable that tries to leave its folder', () => {
    test.each([
      ['docs://../secret', '../secret'],
      ['docs://a/../../secret', 'a/../../secret'],
      ['docs://%2e%2e%2fsecret', '../secret'],
      ['docs://%2E%2E/secret', '../secret'],
      ['docs:///etc/passwd', '/etc/passwd'],
      ['docs://a//b', 'a//b'],
      ['docs://a%00.md', 'a\0.md'],
      ['docs://..%5Csecret', String.raw`..\secret`],
      ['page://..', '..'],
      ['page://..%2Fsecret', '../secret'],
      ['page://%2Fetc%2Fpasswd', '/etc/passwd'],
    ])('%s is decoded, checked by its DTO, and never reaches the handler', async (uri) => {
      expect(await client.refusal('resources/read', { uri })).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^Validation failed: path: /),
        data: { code: 'VALIDATION_FAILED', issues: [{ path: 'path' }] },
      });
      expect(opened).toEqual([]);
    });

    test.each(['page://../secret', 'page://a/b', 'docs://', 'docs://a b', 'docs://%', 'docs://\0', 'docs:a'])(
      '%j fits no template',
      async (uri) => {
        expect(await client.refusal('resources/read', { uri })).toMatchObject({
          code: -32602,
          message: `Resource not found: ${uri}`,
        });
        expect(opened).toEqual([]);
      },
    );
  });

  describe('an answer of the client', () => {
    const drop = async (options: FeatureClientOptions) => {
      const asking = await app.connect(options);
      try {
        return await asking.callTool({ name: 'docs', arguments: { action: 'drop' } });
      } finally {
        await asking.close();
      }
    };
    const MISSING = { code: 'CLIENT_CAPABILITY_MISSING', details: { capability: 'elicitation' } };

    test.each<[string, Record<string, string | boolean>]>([
      ['of the wrong type', { isSure: 'yes' }],
      ['that leaves a field out', {}],
    ])('%s is reported field by field', async (_what, content) => {
      const result = await drop({ onElicitation: () => ({ action: 'accept', content }) });
      expect(result.isError).toBe(true);
      expect(factsOf(result)).toMatchObject(
        kind.canBeAsked ? { code: 'INVALID_ANSWER', details: { issues: [{ path: 'isSure' }] } } : MISSING,
      );
    });

    test('that is an error is reported as one', async () => {
      const onElicitation = (): never => {
        throw new Error('no screen');
      };
      // In 2026 a client that cannot answer does not call again, and the error stays with it.
      if (kind.era === '2026') return expect(drop({ onElicitation })).rejects.toThrow('no screen');
      const result = await drop({ onElicitation });
      expect(result.isError).toBe(true);
      if (kind.canBeAsked) expect(JSON.stringify(result.content)).toContain('no screen');
      else expect(factsOf(result)).toMatchObject(MISSING);
    });

    test('cannot be had from a client without the capability, by a tool or by a prompt', async () => {
      if (kind.era === '2026') {
        // Spec 2026-07-28: basic, Error Codes.
        const refusal = { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } };
        const params = { name: 'docs', arguments: { action: 'drop' } };
        expect(await client.refusal('tools/call', params)).toMatchObject(refusal);
        expect(await client.refusal('prompts/get', { name: 'asking' })).toMatchObject(refusal);
        return;
      }
      expect(factsOf(await drop({}))).toMatchObject(MISSING);
      expect(await client.refusal('prompts/get', { name: 'asking' })).toMatchObject({
        code: -32603,
        message: expect.stringMatching(/^\[prompt asking\] /),
        data: MISSING,
      });
    });
  });
});
