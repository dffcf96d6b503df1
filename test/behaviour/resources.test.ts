import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IsInt, IsString, Min } from 'class-validator';
import {
  embeddedResource,
  Injectable,
  Input,
  Module,
  Resource,
  ToolContext,
  type ListedResource,
  type ReadResourceResult,
} from 'toolwright';
import { MemoryLogger } from '../support/fake-application.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import type { FeatureClient, Refusal } from '../support/connections/feature-client.ts';

const ICONS = [{ src: 'https://example.com/doc.png', mimeType: 'image/png', theme: 'dark' as const }];
const ANNOTATIONS = {
  audience: ['user', 'assistant'] as const,
  priority: 0.5,
  lastModified: '2025-11-25T00:00:00Z',
};

class Line {
  @IsString() file!: string;
  @IsInt() @Min(1) line!: number;
}

@Injectable()
class DocsResources {
  @Resource('docs://readme', {
    title: 'Read me',
    description: 'Where to begin',
    mimeType: 'text/markdown',
    size: 7,
    annotations: ANNOTATIONS,
    icons: ICONS,
    meta: { 'example.com/owner': 'docs' },
  })
  readme(): string {
    return '# Hello';
  }

  @Resource('docs://logo', { mimeType: 'image/png' }) logo(): Uint8Array {
    return new Uint8Array([137, 80, 78, 71]);
  }

  @Resource('docs://facts') facts(): object {
    return { pages: 3 };
  }

  @Resource('docs://plain') plain(): string {
    return 'plain';
  }

  @Resource('docs://both') both(): unknown {
    return [
      { uri: 'docs://both#text', mimeType: 'text/plain', text: 'one' },
      embeddedResource({ uri: 'docs://both#blob', blob: new Uint8Array([1]) }),
    ];
  }

  @Resource('docs://whole') whole(): ReadResourceResult {
    return { contents: [{ uri: 'docs://whole', text: 'all', _meta: { part: 1 } }], _meta: { version: 2 } };
  }

  @Resource('pages://{slug}/{language}', {
    title: 'Page',
    description: 'One page',
    mimeType: 'text/markdown',
    annotations: { priority: 1 },
    icons: ICONS,
    list: 'pages',
  })
  page(@Input() { slug, language }: Record<string, string>): string | undefined {
    return slug === 'none' ? undefined : `${String(slug)} in ${String(language)}`;
  }

  pages(ctx: ToolContext): readonly ListedResource[] {
    return [
      { uri: 'pages://home/en', name: 'home', title: 'Home', size: 10, annotations: { priority: 0 } },
      { uri: `pages://about/${String(ctx.client.name).slice(0, 2)}` },
    ];
  }

  @Resource('lines://{file}{?line}') line({ line }: Line): object {
    return { line, type: typeof line };
  }

  @Resource('files://{+path}') file(@Input() { path }: Record<string, string>): string {
    return String(path);
  }

  @Resource('broken://list/{id}', { list: 'listed' }) item(): string {
    return '';
  }

  listed(): readonly ListedResource[] {
    return [];
  }
}

@Module({ controllers: [DocsResources] })
class DocsModule {}

describe.each(CONNECTIONS)('$name', (kind) => {
  let app: ConnectedApplication;
  let client: FeatureClient;

  beforeAll(async () => {
    app = await createConnectedApplication(kind, DocsModule, { logger: new MemoryLogger() });
    client = await app.client();
  });
  afterAll(() => app.close());

  const contentsOf = async (uri: string): Promise<unknown> => (await client.readResource({ uri })).contents;

  describe('resources', () => {
    test('are listed with everything that is known of them, those of templates after the fixed ones', async () => {
      const { resources } = await client.listResources();
      expect(resources[0]).toEqual({
        uri: 'docs://readme',
        name: 'readme',
        title: 'Read me',
        description: 'Where to begin',
        mimeType: 'text/markdown',
        size: 7,
        annotations: ANNOTATIONS,
        icons: ICONS,
        _meta: { 'example.com/owner': 'docs' },
      });
      expect(resources.slice(-2)).toEqual([
        {
          uri: 'pages://home/en',
          name: 'home',
          title: 'Home',
          description: 'One page',
          mimeType: 'text/markdown',
          size: 10,
          annotations: { priority: 0 },
          icons: ICONS,
        },
        {
          uri: `pages://about/${String(kind.clientName).slice(0, 2)}`,
          name: 'page',
          title: 'Page',
          description: 'One page',
          mimeType: 'text/markdown',
          annotations: { priority: 1 },
          icons: ICONS,
        },
      ]);
    });

    test.each([
      ['a text', 'docs://readme', [{ mimeType: 'text/markdown', text: '# Hello' }]],
      ['a text without a mime type', 'docs://plain', [{ mimeType: 'text/plain', text: 'plain' }]],
      ['bytes', 'docs://logo', [{ mimeType: 'image/png', blob: 'iVBORw==' }]],
      ['a value as JSON', 'docs://facts', [{ mimeType: 'application/json', text: '{\n  "pages": 3\n}' }]],
      ['a whole result', 'docs://whole', [{ text: 'all', _meta: { part: 1 } }]],
    ])('give %s', async (_what, uri, contents) => {
      expect(await contentsOf(uri)).toEqual(contents.map((part) => ({ uri, ...part })));
    });

    test('give several contents at once', async () => {
      expect(await contentsOf('docs://both')).toEqual([
        { uri: 'docs://both#text', mimeType: 'text/plain', text: 'one' },
        { uri: 'docs://both#blob', blob: 'AQ==' },
      ]);
    });
  });

  describe('templates', () => {
    test('are listed with everything that is known of them', async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates[0]).toEqual({
        uriTemplate: 'pages://{slug}/{language}',
        name: 'page',
        title: 'Page',
        description: 'One page',
        mimeType: 'text/markdown',
        annotations: { priority: 1 },
        icons: ICONS,
      });
      expect(resourceTemplates).toHaveLength(4);
    });

    test.each([
      ['decoded variables', 'pages://a%20b/d%C3%A9', 'a b in dé', 'text/markdown'],
      ['a variable with slashes', 'files://a/b/c.md', 'a/b/c.md', 'text/plain'],
      [
        'variables as an instance of a DTO',
        'lines://x?line=12',
        '{\n  "line": 12,\n  "type": "number"\n}',
        'application/json',
      ],
    ])('are read with %s', async (_what, uri, text, mimeType) => {
      expect(await contentsOf(uri)).toEqual([{ uri, mimeType, text }]);
    });
  });

  describe('reading what is not there', () => {
    const read = (uri: unknown): Promise<Refusal> => client.refusal('resources/read', { uri });

    test.each(['pages://home', 'pages://a/b/c', 'nowhere://x', '', 'pages://%zz/en', 'pages://\0/en'])(
      'names the URI that matches nothing: %j',
      async (uri) => {
        expect(await read(uri)).toMatchObject({
          code: -32602,
          message: `Resource not found: ${uri}`,
          data: { uri },
        });
      },
    );

    test('says what is near, and that a handler found nothing', async () => {
      expect((await read('docs://redme')).data).toMatchObject({ suggestion: 'docs://readme' });
      expect(await read('pages://none/en')).toEqual({
        code: -32602,
        message: 'Resource not found: pages://none/en',
        data: { uri: 'pages://none/en' },
      });
    });

    test('names the variable that breaks its DTO', async () => {
      expect(await read('lines://x?line=zero')).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^Validation failed: line: /),
        data: { code: 'VALIDATION_FAILED', issues: [{ path: 'line', received: 'string "zero"' }] },
      });
    });
  });
});
