import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { client2025, client2026, connectStdio } from '../../support/client-of-2026.ts';
import { runInProcess } from '../../support/command-in-process.ts';
import { ROOT } from '../../pins/docs/example.ts';

interface Hit {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

describe('toolwright docs', () => {
  test('with words shows five sections, each with a place that editors open', async () => {
    const { code, stdout } = await runInProcess(['docs', 'redis'], { isTerminal: true });
    expect(code).toBe(0);
    const places = stdout.match(/^docs\/\S+\.md:\d+$/gm) ?? [];
    expect(places).toHaveLength(5);
    expect(places.join()).toContain('docs/guides/scaling.md:');
  });

  test('with words and --json gives them as data, whose lines are those of the headings', async () => {
    const { code, stdout } = await runInProcess(['docs', 'rate', 'limit', '--json']);
    expect(code).toBe(0);
    const hits = JSON.parse(stdout) as readonly Hit[];
    expect(hits).toHaveLength(5);
    expect(hits[0]?.id).toBe('guides/security.md#rate-limits-quotas-and-concurrency');
    for (const { file, line } of hits)
      expect(readFileSync(join(ROOT, file), 'utf8').split('\n')[line - 1]).toMatch(/^#+ /);
  });

  test('reads a page, a section and an error code', async () => {
    for (const name of ['guides/testing.md', 'guides/testing.md#matchers', 'TW_CONFIG_INVALID']) {
      const { code, stdout } = await runInProcess(['docs', '--read', name]);
      expect([name, code, stdout.startsWith('#')]).toEqual([name, 0, true]);
    }
    const { code, stderr } = await runInProcess(['docs', '--read', 'guides/testin.md']);
    expect(code).toBe(5);
    expect(stderr).toContain('TW_CLI_NAME');
    expect(stderr).toContain('--read guides/testing.md');
  });

  test('at a terminal lists all pages, and says how an agent gets them', async () => {
    const { code, stdout, stderr } = await runInProcess(['docs'], { isTerminal: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Start\n {2}guides\/getting-started\.md +From an empty folder/);
    expect(stdout).toContain('commands/doctor.md');
    expect(stderr).toContain('toolwright install claude-code --docs');
    const { stdout: json } = await runInProcess(['docs', '--json']);
    expect(JSON.parse(json)).toContainEqual(expect.objectContaining({ path: 'errors.md', part: 'Start' }));
  });
});

describe('on a pipe', () => {
  let client: Client;

  afterEach(() => client.close());

  test.each([
    ['2025-11-25', client2025],
    ['2026-07-28', client2026],
  ])('it is a server for clients of %s', async (_era, create) => {
    const command = { command: process.execPath, args: [join(ROOT, 'dist/cli/main.js'), 'docs'] };
    client = await connectStdio(create(), { ...command, stderr: 'ignore' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['docs_read', 'docs_search']);
    const { content } = await client.callTool({ name: 'docs_search', arguments: { query: 'rate limit' } });
    expect(content).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^Toolwright \S+\nguides\/security\.md#rate-/) }),
    ]);
  });
});
