import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { join } from 'node:path';
import { McpApplication } from 'toolwright';
import { runCli } from '../support/cli-process.ts';
import { fencedBlocks, readText, ROOT } from './docs/example.ts';

const QUICKSTART = 'examples/quickstart/';
const SERVER = `${QUICKSTART}server.ts`;

let app: McpApplication;
beforeAll(async () => {
  // The quickstart as it is, only that nothing listens
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const listen = jest.spyOn(McpApplication.prototype, 'listen').mockResolvedValue({ url: '' } as never);
  await import(`../../${QUICKSTART}main.ts`);
  app = listen.mock.contexts[0] as McpApplication;
  listen.mockRestore();
  log.mockRestore();
});
afterAll(() => app.close());

function block(language: string, start: string): string | undefined {
  return fencedBlocks('README.md', language).find(({ text }) => text.startsWith(start))?.text;
}

test('the README shows the quickstart as it is', () => {
  expect(block('ts', 'import')).toBe(readText(SERVER).trimEnd());
});

test('the README shows what a model sees of the quickstart', () => {
  expect(JSON.stringify(JSON.parse(block('json', '[') ?? ''))).toBe(JSON.stringify(app.definitions));
});

test('the README shows what one sees at the terminal', async () => {
  const runs = (block('console', '$') ?? '').split(/^\$ npx toolwright /m).slice(1);
  expect(runs).toHaveLength(3);
  for (const run of runs) {
    const [line = '', ...shown] = run.trimEnd().split('\n');
    const args = [...line.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([arg]) => arg.replaceAll("'", ''));
    const { stdout } = await runCli(args, { cwd: join(ROOT, QUICKSTART) });
    expect([line, stdout]).toEqual([line, shown.join('\n')]);
  }
});

test('the README stays short', () => {
  expect(readText('README.md').split('\n').length).toBeLessThanOrEqual(175);
});
