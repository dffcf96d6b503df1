import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { textOf } from '../support/text-of.ts';
import { fencedBlocks, readText } from './docs/example.ts';

const QUICKSTART = 'examples/quickstart/main.ts';

let app: McpApplication;
beforeAll(async () => {
  // The quickstart as it is, only that nothing listens
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const listen = jest.spyOn(McpApplication.prototype, 'listen').mockResolvedValue({ url: '' } as never);
  await import(`../../${QUICKSTART}`);
  app = listen.mock.contexts[0] as McpApplication;
  listen.mockRestore();
  log.mockRestore();
});
afterAll(() => app.close());

function block(language: string, start: string): string | undefined {
  return fencedBlocks('README.md', language).find(({ text }) => text.startsWith(start))?.text;
}

test('the README shows the quickstart as it is', () => {
  expect(block('ts', 'import')).toBe(readText(QUICKSTART).trimEnd());
});

test('the README shows what a model sees of the quickstart', () => {
  expect(JSON.stringify(JSON.parse(block('json', '[') ?? ''))).toBe(JSON.stringify(app.definitions));
});

test('the README shows what the quickstart answers to a wrong call', async () => {
  const result = await app.call('notes', { action: 'add', txt: 'Buy milk' });
  expect(block('text', 'Validation failed')).toBe(textOf(result));
});

test('the README stays short', () => {
  expect(readText('README.md').split('\n').length).toBeLessThanOrEqual(175);
});
