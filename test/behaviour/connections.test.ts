import { afterEach, describe, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  Action,
  Complete,
  Injectable,
  McpApplication,
  Module,
  Prompt,
  Resource,
  ToolContext,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';

class Title {
  @IsString() title!: string;
}

class Greeting {
  @IsString() name!: string;
}

@ToolGroup('greeter')
class Greeter {
  @Action('Greet somebody') greet({ name }: Greeting): string {
    return `Hello, ${name}`;
  }

  @Action('Count to three') async count(ctx: ToolContext): Promise<string> {
    for (const number of [1, 2, 3]) await ctx.progress(number, 3, `at ${String(number)}`);
    return 'counted';
  }

  @Action('Fail') fail(): never {
    throw Object.assign(new Error('No luck'), { code: 404, data: { secret: 'hidden' } });
  }
}

@Injectable()
class Library {
  @Prompt('Welcome') welcome({ name }: Greeting): string {
    return `Welcome ${name}`;
  }

  @Complete('welcome', 'name') names(value: string): string[] {
    return ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(value));
  }

  @Resource('book://first', { mimeType: 'text/plain' }) first(): string {
    return 'Once upon a time';
  }

  @Resource('book://{title}') book({ title }: Title): string | undefined {
    return title === 'lost' ? undefined : `The book ${title}`;
  }
}

@Module({ controllers: [Greeter, Library] })
class LibraryModule {}

type CallOptions = Parameters<FeatureClient['callTool']>[2];

const call = async (
  client: FeatureClient,
  args: Record<string, unknown>,
  options?: CallOptions,
): Promise<CallToolResult> =>
  (await client.callTool({ name: 'greeter', arguments: args }, undefined, options)) as CallToolResult;

describe.each(CONNECTIONS)('$name', ({ connect }) => {
  let app: McpApplication | undefined;
  let opened: FeatureClient | undefined;
  const open = async (): Promise<FeatureClient> => {
    app = await McpApplication.create(LibraryModule, { logger: new MemoryLogger() });
    opened = await connect(app);
    return opened;
  };
  afterEach(async () => {
    await opened?.close();
    await app?.close();
  });

  test('lists and calls tools', async () => {
    const client = await open();
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greeter']);
    expect(textOf(await call(client, { action: 'greet', name: 'Ada' }))).toBe('Hello, Ada');
  });

  test('reports what is wrong with a call', async () => {
    const client = await open();
    const result = await call(client, { action: 'greet', name: 5 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('name');
  });

  test('hides what was not declared for clients', async () => {
    const client = await open();
    const result = await call(client, { action: 'fail' });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('[greeter/fail] No luck');
    expect(JSON.stringify(result)).not.toMatch(/hidden|404/);
  });

  test('reports progress before the answer', async () => {
    const client = await open();
    const reported: unknown[] = [];
    const onprogress = (progress: unknown): void => void reported.push(progress);
    expect(textOf(await call(client, { action: 'count' }, { onprogress }))).toBe('counted');
    // The last report may come together with the answer, and SDK v1 then sees the answer first.
    expect(reported.slice(0, 2)).toMatchObject([
      { progress: 1, total: 3, message: 'at 1' },
      { progress: 2, total: 3, message: 'at 2' },
    ]);
  });

  test('serves prompts and completes their arguments', async () => {
    const client = await open();
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['welcome']);
    expect(await client.getPrompt({ name: 'welcome', arguments: { name: 'Ada' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Welcome Ada' } }],
    });
    const ref = { type: 'ref/prompt', name: 'welcome' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'A' } });
    expect(completion.values).toEqual(['Ada', 'Alan']);
  });

  test('serves resources', async () => {
    const client = await open();
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['book://first']);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual([
      'book',
    ]);
    expect(await client.readResource({ uri: 'book://first' })).toMatchObject({
      contents: [{ text: 'Once upon a time' }],
    });
    expect(await client.readResource({ uri: 'book://second' })).toMatchObject({
      contents: [{ text: 'The book second' }],
    });
  });

  test('refuses a resource that is not there, with its URI', async () => {
    const client = await open();
    expect(await client.refusal('resources/read', { uri: 'book://lost' })).toMatchObject({
      code: -32602,
      data: { uri: 'book://lost' },
    });
  });

  test('does not know an undefined method', async () => {
    const client = await open();
    expect(await client.refusal('nobody/knows')).toMatchObject({ code: -32601 });
  });
});
