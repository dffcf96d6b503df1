import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { IsInt, IsString } from 'class-validator';
import {
  Action,
  audio,
  content,
  Destructive,
  embeddedResource,
  error,
  Field,
  Idempotent,
  image,
  Module,
  OpenWorld,
  ReadOnly,
  resourceLink,
  structured,
  text,
  ToolContext,
  ToolGroup,
  type CallToolResult,
  type ContentBlock,
} from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import { textOf } from '../support/text-of.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient } from '../support/connections/feature-client.ts';

const ICONS = [{ src: 'https://example.com/weather.svg', mimeType: 'image/svg+xml', sizes: ['any'] }];

class City {
  @IsString() @Field('Where') city!: string;
}

class Weather {
  @IsInt() @Field('In degrees Celsius') celsius!: number;
}

@ToolGroup({
  name: 'weather',
  title: 'Weather',
  description: 'The weather of the world',
  icons: ICONS,
  meta: { 'example.com/unit': 'celsius' },
  annotations: { openWorldHint: false },
})
class WeatherTools {
  @Action({ description: 'The weather now', output: Weather }) @ReadOnly() now({ city }: City): object {
    return { celsius: city.length };
  }

  @Action({ output: Weather }) wrong(): object {
    return { celsius: 'warm' };
  }

  @Action() @Destructive() everything(): readonly ContentBlock[] {
    return [
      text('A report', { audience: ['user'], priority: 1, lastModified: '2025-11-25T00:00:00Z' }),
      image(new Uint8Array([1, 2]), 'image/png'),
      audio('AQI=', 'audio/wav'),
      resourceLink({ uri: 'weather://today', name: 'today', title: 'Today', size: 3 }, { priority: 0 }),
      embeddedResource({ uri: 'weather://notes', mimeType: 'text/markdown', text: '# Notes' }),
      embeddedResource({ uri: 'weather://chart', blob: new Uint8Array([1]) }),
    ];
  }

  @Action() mixed(): CallToolResult {
    return content('See', resourceLink({ uri: 'weather://today', name: 'today' }));
  }

  @Action() measured(): CallToolResult {
    return structured({ celsius: 21 }, 'It is 21 °C');
  }

  @Action() refuses(): CallToolResult {
    return error('The sky is closed');
  }

  @Action() meta(ctx: ToolContext): string {
    return JSON.stringify(ctx.meta);
  }
}

@ToolGroup({ name: 'clock', expose: 'flat' })
class ClockTools {
  @Action({ title: 'The time' }) @ReadOnly() @OpenWorld() read(): string { return 'now'; } // oxfmt-ignore
  @Action() @Idempotent() set(): void {}
}

@Module({ controllers: [WeatherTools, ClockTools] })
class WeatherModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;
  let tools: readonly Tool[];

  beforeAll(async () => {
    app = await createConnectedApplication(kind, WeatherModule, { logger: new MemoryLogger() });
    client = await app.client();
    ({ tools } = await client.listTools());
  });
  afterAll(() => app.close());

  const call = async (action: string, args: object = {}): Promise<CallToolResult> =>
    (await client.callTool({ name: 'weather', arguments: { action, ...args } })) as CallToolResult;

  describe('a listed tool', () => {
    test('has title, icons, _meta, and annotations that hold for all of its actions', () => {
      expect(tools[0]).toMatchObject({
        name: 'weather',
        title: 'Weather',
        icons: ICONS,
        _meta: { 'example.com/unit': 'celsius' },
        annotations: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: false,
        },
      });
      expect(tools[0]?.description).toContain('The weather of the world');
    });

    test('has the annotations of its one action when it is flat', () => {
      expect(
        tools.slice(1).map(({ name, title, annotations }) => ({ name, title, annotations })),
      ).toMatchObject([
        { name: 'clock_read', title: 'The time', annotations: { readOnlyHint: true, openWorldHint: true } },
        { name: 'clock_set', annotations: { readOnlyHint: false, idempotentHint: true } },
      ]);
    });

    test('has an input schema that names every action and field', () => {
      const { type, properties, required } = tools[0]?.inputSchema ?? {};
      expect([type, required]).toEqual(['object', ['action']]);
      expect(properties?.['city']).toMatchObject({ type: 'string' });
    });
  });

  describe('a result', () => {
    test('of an action with an output is structured content, which the client checks', async () => {
      const { content: blocks, structuredContent } = await call('now', { city: 'Linz' });
      expect([blocks, structuredContent]).toEqual([
        [{ type: 'text', text: '{"celsius":4}' }],
        { celsius: 4 },
      ]);
    });

    test('that breaks the declared output is an error, and says where', async () => {
      const result = await call('wrong');
      expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
      expect(textOf(result)).toContain('celsius');
    });

    test('carries every kind of content', async () => {
      expect((await call('everything')).content).toEqual([
        {
          type: 'text',
          text: 'A report',
          annotations: { audience: ['user'], priority: 1, lastModified: '2025-11-25T00:00:00Z' },
        },
        { type: 'image', data: 'AQI=', mimeType: 'image/png' },
        { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' },
        {
          type: 'resource_link',
          uri: 'weather://today',
          name: 'today',
          title: 'Today',
          size: 3,
          annotations: { priority: 0 },
        },
        {
          type: 'resource',
          resource: { uri: 'weather://notes', mimeType: 'text/markdown', text: '# Notes' },
        },
        { type: 'resource', resource: { uri: 'weather://chart', blob: 'AQ==' } },
      ]);
    });

    test('may be mixed, structured, or an error', async () => {
      expect((await call('mixed')).content).toMatchObject([{ text: 'See' }, { type: 'resource_link' }]);
      expect(await call('measured')).toMatchObject({
        content: [{ text: 'It is 21 °C' }],
        structuredContent: { celsius: 21 },
      });
      expect(await call('refuses')).toMatchObject({ isError: true });
    });
  });

  test('a call hands its _meta to the handler', async () => {
    const meta = { 'example.com/trace': 'abc' };
    const result = await client.callTool({
      name: 'weather',
      arguments: { action: 'meta' },
      _meta: meta,
    });
    expect(JSON.parse(textOf(result as CallToolResult))).toEqual(meta);
  });
});
