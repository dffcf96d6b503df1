import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { DocsModule } from '../../../src/cli/docs/docs-module.ts';
import { packageVersion } from '../../../src/cli/package-version.ts';
import { createTestApplication, text, type TestApplication } from '../../../src/testing/index.ts';
import { countToolTokens, loadTokenizer } from '../../../src/tokens/index.ts';
import { readText } from '../../pins/docs/example.ts';

let docs: TestApplication;
let client: Client;

beforeAll(async () => {
  docs = await createTestApplication(DocsModule);
  client = await docs.client();
});

afterAll(async () => {
  await docs.close();
});

async function call(name: string, args: Readonly<Record<string, unknown>>) {
  const result = await client.callTool({ name, arguments: args });
  return { isError: result.isError === true, text: text(result) };
}

describe('the documentation as a server', () => {
  test('has two tools that only read, of at most 230 tokens', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['docs_search', 'docs_read']);
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect((await countToolTokens(tools)).tokens).toBeLessThanOrEqual(230);
  });

  test('finds five sections in at most 500 tokens, each with the name that it is read by', async () => {
    const count = await loadTokenizer();
    for (const query of ['rate limit', 'elicitation', 'redis', 'TW_SCAN_INPUT_UNKNOWN', 'api key']) {
      const found = await call('docs_search', { query });
      expect([query, found.isError, count(found.text) <= 500]).toEqual([query, false, true]);
      const [first, ...lines] = found.text.split('\n');
      expect(first).toBe(`Toolwright ${packageVersion()}`);
      const names = lines.flatMap((line) => /^([^ ]+) \(line \d+\) /.exec(line)?.[1] ?? []);
      expect(names).toHaveLength(5);
      const read = await call('docs_read', { page: names[0] });
      expect(read.text).toContain(`docs/${names[0]?.split('#')[0] ?? ''}:`);
    }
  });

  test('takes a limit and a kind, and says where nothing is found', async () => {
    const { text: commands } = await call('docs_search', { query: 'lock', kind: 'command', limit: 1 });
    expect(commands).toMatch(/^Toolwright \S+\ncommands\/lock\.md/);
    expect(commands.split('\n')).toHaveLength(3);
    const { text: nothing } = await call('docs_search', { query: 'xyzzyplugh' });
    expect(nothing).toMatch(/\nNothing is found\. The index begins with guides\/getting-started\.md/);
    expect((await call('docs_search', { query: 'x', kind: 'song' })).isError).toBe(true);
  });

  test.each(['../package.json', '/etc/passwd', '%2e%2e%2fpackage.json'])(
    'reads nothing else than its pages: %s',
    async (page) => {
      const { isError, text: answer } = await call('docs_read', { page });
      expect([isError, answer]).toEqual([true, expect.stringContaining('DOCS_PAGE_UNKNOWN')]);
      await expect(client.readResource({ uri: `docs://${page}` })).rejects.toThrow();
    },
  );

  test('has its pages as resources, byte for byte, and completes their paths', async () => {
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({
      uri: 'docs://guides/getting-started.md',
      title: expect.any(String),
    });
    const { contents } = await client.readResource({ uri: 'docs://guides/testing.md' });
    expect(contents).toEqual([
      expect.objectContaining({ mimeType: 'text/markdown', text: readText('docs/guides/testing.md') }),
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'docs://{+path}' },
      argument: { name: 'path', value: 'from-' },
    });
    expect(completion.values).toContain('guides/from-nestjs.md');
  });
});
