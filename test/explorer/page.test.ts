import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type JsonSchema, McpApplication, Module, type ToolContext, createTool } from 'toolwright';
import { ROOT } from '../pins/docs/example.ts';
import { goTo } from '../support/explored-page.ts';
import { useBrowser } from '../support/explorer-tab.ts';
import { violations } from '../support/page-faults.ts';

const LEVELS: JsonSchema = {
  type: 'object',
  properties: {
    level: { type: ['string', 'null'], enum: ['low', 'high', null] },
    owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    items: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
    id: { type: 'string' },
    note: { type: 'string' },
    price: { type: 'number' },
  },
  required: ['owner'],
};

@Module({})
class Root {}

const NAME: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};

const received: unknown[] = [];
let application: McpApplication;
const used = useBrowser();
let page: Page;
let url: string;
let complaints: string[];

const shown = createTool<ToolContext>('shown')
  .action({
    name: 'echo',
    schema: LEVELS,
    handler: (input) => {
      received.push(input);
      return 'received';
    },
  })
  .action({
    name: 'hostile',
    handler: () => ({
      content: [
        { type: 'text', text: '<img src=x onerror="document.title=1">' },
        { type: 'resource_link', uri: 'javascript:document.title=1', name: 'link' },
      ],
    }),
  })
  .action({ name: 'empty', handler: () => ({ content: [], isError: false }) })
  .action({
    name: 'ask',
    handler: async (_input: unknown, context: ToolContext) => {
      const answer = await context.ask<{ name: string }>(NAME, 'What is it called?');
      return answer.action === 'accept' ? `It is ${answer.content.name}` : answer.action;
    },
  })
  .action({
    name: 'slow',
    handler: async (_input: unknown, context: ToolContext) => {
      for (let done = 0; ; done += 10) {
        await context.progress(Math.min(done, 100), 100, `step ${done}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        context.signal.throwIfAborted();
      }
    },
  });

const odd = createTool('odd').action({
  name: 'draw',
  schema: { type: 'object', properties: { any: { not: { type: 'string' } }, name: { type: 'string' } } },
  handler: (input) => {
    received.push(input);
    return 'drawn';
  },
});

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['.ci/build-explorer-page.mjs'], { cwd: ROOT });
  application = await McpApplication.create(Root, { name: 'shown', version: '1.0.0' });
  application.registry.registerAll(shown, odd);
  const listening = await application.listen({ port: 0, explorer: true, signals: false });
  url = (listening as unknown as { readonly explorer: string }).explorer;
});

afterAll(async () => {
  await application.close();
});

beforeEach(async () => {
  received.length = 0;
  complaints = [];
  page = await used.browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:'))
      complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  await page.getByTestId('overview').waitFor();
});

afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

async function open(action: string): Promise<void> {
  await goTo(page, `tool/${action}`);
  await page.getByRole('heading', { name: action.replace('/', '.') }).waitFor();
}

const inField = (path: string, part: string) =>
  page.locator(`[data-testid="field"][data-path="${path}"]`).getByTestId(part).first();

async function call(): Promise<string> {
  await page.getByTestId('call').click();
  await page
    .locator('[data-testid="result"][data-state="done"], [data-testid="result"][data-state="failed"]')
    .waitFor();
  return page.getByTestId('content').innerText();
}

describe('the page', () => {
  test('keeps the token out of the address, and survives a reload at the same place', async () => {
    expect(page.url()).not.toContain('token');
    await open('shown/echo');
    await page.reload();
    await page.getByRole('heading', { name: 'shown.echo' }).waitFor();
  });

  test('sends what was typed in form and text, and nothing else', async () => {
    await open('shown/echo');
    await inField('level', 'input').selectOption('null');
    await inField('owner.name', 'input').fill('Ada\nLovelace');
    await inField('id', 'input').fill('9007199254740993');
    await inField('note', 'state').selectOption('value');
    await inField('price', 'input').fill('1.50');
    await inField('items', 'state').selectOption('value');
    await inField('items', 'add').click();
    await inField('items[0].count', 'input').fill('3');
    await inField('items', 'add').click();
    await page.getByRole('button', { name: 'Move items[0] down' }).click();
    await page.getByTestId('view-json').click();
    await expect(page.getByTestId('json').innerText()).resolves.toContain('"price": 1.50');
    await page.getByTestId('view-form').click();
    await expect(call()).resolves.toBe('received');
    expect(received).toEqual([
      {
        level: null,
        owner: { name: 'Ada\nLovelace' },
        id: '9007199254740993',
        note: '',
        price: 1.5,
        items: [{}, { count: 3 }],
      },
    ]);
  });

  test('keeps what is invalid when the view changes, and sends nothing of it', async () => {
    await open('shown/echo');
    await inField('price', 'input').fill('12x');
    await page.getByTestId('view-json').click();
    await page.getByTestId('view-form').click();
    await expect(inField('price', 'input').inputValue()).resolves.toBe('12x');
    await expect(page.getByTestId('call').isDisabled()).resolves.toBe(true);
  });

  test('checks without a call, in the words that a client gets', async () => {
    await open('shown/echo');
    await page.getByTestId('check').click();
    await page.locator('[data-testid="checked"][data-state="refused"]').waitFor();
    const words = await page.getByTestId('checked').innerText();
    expect(words).toContain('name');
    expect(received).toEqual([]);
    await expect(inField('owner.name', 'issue').isVisible()).resolves.toBe(true);
    // What was said of an input goes with it
    await inField('owner.name', 'input').fill('Ada');
    await page.locator('[data-testid="checked"][data-state="idle"]').waitFor({ state: 'attached' });
    await expect(page.getByTestId('issue').count()).resolves.toBe(0);
    await page.getByTestId('check').click();
    await page.locator('[data-testid="checked"][data-state="ok"]').waitFor();
    expect(received).toEqual([]);
  });

  test('shows what a tool gives as text', async () => {
    await open('shown/hostile');
    const text = await call();
    expect(text).toContain('<img src=x onerror="document.title=1">');
    await expect(page.locator('a[href^="javascript"]').count()).resolves.toBe(0);
    await expect(page.title()).resolves.toBe('shown.hostile · shown · Toolwright explorer');
  });

  test('says of an empty result that the call ran', async () => {
    await open('shown/empty');
    await expect(page.getByTestId('result').getAttribute('data-state')).resolves.toBe('idle');
    await expect(call()).resolves.toContain('the call ran');
  });

  test('asks for JSON where a field cannot be drawn, and lives', async () => {
    await open('odd/draw');
    await inField('name', 'input').fill('x');
    await inField('any', 'state').selectOption('value');
    await inField('any', 'json').fill('[1, {"a": 2}]');
    await expect(call()).resolves.toBe('drawn');
    expect(received).toEqual([{ name: 'x', any: [1, { a: 2 }] }]);
  });

  test.each(['2025', '2026'])('asks, shows progress and cancels with the keyboard, era %s', async (era) => {
    await page.getByTestId('era').selectOption(era);
    await open('shown/ask');
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('question').waitFor();
    await page.getByTestId('question').getByTestId('input').focus();
    await page.keyboard.type('Rover');
    await page.keyboard.press('Tab');
    await page.getByTestId('accept').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="result"][data-state="done"]').waitFor();
    await expect(page.getByTestId('content').innerText()).resolves.toBe('It is Rover');
    await open('shown/slow');
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('progress').filter({ hasText: '100 of 100' }).waitFor();
    await page.getByTestId('cancel').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="result"][data-state="cancelled"]').waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds, in every view, %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const place of [
        '',
        'tool/shown/echo',
        'tool/odd/draw',
        'model',
        'graph',
        'lock',
        'traffic',
        'keys',
        'missing',
      ]) {
        await goTo(page, place);
        expect([place, await violations(page)]).toEqual([place, []]);
      }
    },
  );
});
