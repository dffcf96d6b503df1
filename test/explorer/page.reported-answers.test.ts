import { beforeEach, describe, expect, test } from '@jest/globals';
import type { McpApplication } from 'toolwright';
import { ExplorerTab } from '../support/explorer-tab.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { createReported, GIF } from '../support/reported-app.ts';
import { tourOf } from '../support/toured.ts';

/** What people reported of what another inspector shows: each behaviour is a test of its own. */

let application: McpApplication;
const toured = tourOf(async () => {
  application = await createReported();
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

beforeEach(() => toured.tab.openAction('kept', 'keep'));

const part = (name: string) => toured.tab.page.getByTestId(`result-${name}`);
const json = async (): Promise<unknown> =>
  JSON.parse(await toured.tab.page.getByTestId('json-text').first().innerText());

describe('what an agent gets', () => {
  test('is there to the letter, and the rules of each field stand beside it (inspector#1388)', async () => {
    const { tab } = toured;
    const text = await tab.page.getByTestId('model-text').innerText();
    const definition: unknown = JSON.parse(
      JSON.stringify(application.definitions.find(({ name }) => name === 'kept')),
    );
    expect(JSON.parse(text.slice(text.indexOf('\n{') + 1))).toEqual(definition);
    const field = tab.page.locator('[data-testid="field"][data-path="text"]');
    expect(await field.innerText()).toMatch(/What to keep\n1 to 80 characters/);
    await tab.page.getByText('input schema').click();
    expect(await tab.page.locator('details pre').first().innerText()).toContain('"maxLength": 80');
  });
});

describe('a result', () => {
  test('has its structured part beside its text, and alone where it has no text (inspector#1991)', async () => {
    const { tab } = toured;
    expect(await tab.call()).toBe('kept');
    await part('structured').click();
    expect(await json()).toMatchObject({ count: expect.any(Number) });
    await tab.openAction('kept', 'data');
    const shown = await tab.call();
    expect(shown).toContain('structuredContent');
    expect(shown).not.toContain('nothing to say');
    expect(await json()).toEqual({ rows: [1, 2] });
  });

  test('that is empty is a result, and looks different from none (inspector#1860)', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'nothing');
    const result = tab.page.getByTestId('result');
    expect(await result.innerText()).toContain('Not called yet');
    expect(await tab.call()).toContain('the call ran, and had nothing to say');
    expect(await result.innerText()).not.toContain('Not called yet');
  });

  test('has its _meta', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'picture');
    await tab.call();
    await part('_meta').click();
    expect(await json()).toMatchObject({ 'example.com/cost': 3 });
  });

  test('shows pictures, and as text what could hold a script or is none', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'picture');
    const content = await tab.call();
    for (const text of [
      'image/svg+xml',
      '"><script>'.replace('"', '\\"'),
      ' javascript:document',
      'data:text/html',
    ])
      expect(content).toContain(text.trimStart());
    const pictures = tab.page.getByTestId('result').locator('img');
    expect(await pictures.count()).toBe(1);
    expect(await pictures.getAttribute('src')).toBe(`data:image/gif;base64,${GIF}`);
  });

  test('has a link as the browser reads it, which needs a click and leads away alone', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'picture');
    expect(await tab.call()).toContain('a script');
    const links = tab.page.getByTestId('content').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['https://example.com/%E2%80%AEgnp.exe']);
    expect(await links.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await links.getAttribute('target')).toBe('_blank');
  });
});

describe('the raw exchange', () => {
  test.each(['2025', '2026'] as const)(
    'has both messages and what HTTP said around them, without secrets, era %s (inspector#352)',
    async (era) => {
      const { tab } = toured;
      await tab.chooseEra(era);
      await tab.go('');
      await tab.page.getByRole('button', { name: '+ header' }).click();
      await tab.page.getByLabel('Name of header 1').fill('Authorization');
      await tab.page.getByLabel('Value of header 1').fill('Bearer marker-of-a-bearer');
      await tab.openAction('kept', 'keep');
      await tab.field('text').fill('raw');
      await tab.call();
      await part('raw').click();
      const messages = (await json()) as Record<string, unknown>[];
      expect(messages).toEqual([
        { sent: expect.objectContaining({ jsonrpc: '2.0', method: 'tools/call' }) },
        {
          received: expect.objectContaining({ jsonrpc: '2.0', result: expect.anything() }),
          http: {
            request: {
              line: 'POST /explorer/mcp',
              headers: expect.objectContaining({
                'content-type': 'application/json',
                authorization: '[redacted]',
                'toolwright-explorer-token': '[redacted]',
              }),
            },
            response: {
              line: '200 OK',
              headers: expect.objectContaining({ 'x-content-type-options': 'nosniff' }),
            },
          },
        },
      ]);
      const token = await tab.page.evaluate<string>("sessionStorage.getItem('toolwright-explorer-token')");
      for (const secret of ['marker-of-a-bearer', token])
        expect(JSON.stringify(messages)).not.toContain(secret);
      await tab.go('traffic');
      await tab.page.getByTestId('span').filter({ hasText: 'kept.keep' }).last().getByRole('link').click();
      await tab.page.getByTestId('http').getByText('HTTP 200 OK').click();
      expect(await tab.page.getByTestId('messages').innerText()).toContain('POST /explorer/mcp');
    },
  );

  test('of a request that was answered with a status alone has that status', async () => {
    const { tab } = toured;
    tab.provoke('502');
    await tab.page.route('**/explorer/mcp', (route) => route.fulfill({ status: 502, body: 'no gate' }));
    await tab.chooseEra('2025');
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    await tab.go('traffic');
    await tab.page.getByTestId('span').filter({ hasText: 'initialize' }).last().getByRole('link').click();
    expect(await tab.page.getByTestId('http').innerText()).toContain('HTTP 502');
  });
});

describe('a connection that fails', () => {
  test('for want of a right token says what is missing, why, and where to get it (inspector#1936)', async () => {
    const { tab } = toured;
    tab.provoke('401');
    await tab.page.evaluate("sessionStorage.setItem('toolwright-explorer-token', 'wrong')");
    await tab.page.reload();
    const failure = tab.page.getByTestId('failure').first();
    expect(await failure.innerText()).toMatch(/no valid token[\s\S]*why:[\s\S]*fix:[\s\S]*#token=/);
  });

  test('because the server started again says so by itself, and needs the new address', async () => {
    const port = await lastingPort();
    const first = await application.listen({ port, explorer: true, signals: false });
    const tab = await ExplorerTab.open(toured.browser, first.explorer ?? '');
    await first.close();
    const lost = tab.page.getByTestId('lost');
    await lost.getByText('The server does not answer').waitFor();
    const second = await application.listen({ port, explorer: true, signals: false });
    await lost.getByText('This page has no valid token').waitFor();
    await tab.page.goto('about:blank');
    await tab.page.goto(second.explorer ?? '');
    await tab.page.getByRole('img', { name: 'Connected', exact: true }).waitFor();
    expect(await lost.count()).toBe(0);
    await tab.close();
    await second.close();
  });

  test('because the endpoint refuses says how it answered, in its words (inspector#1951)', async () => {
    const { tab } = toured;
    tab.provoke('503');
    await tab.page.route('**/explorer/mcp', (route) =>
      route.fulfill({ status: 503, body: 'The gate is closed' }),
    );
    await tab.chooseEra('2025');
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('failure').first().innerText()).toMatch(/503[\s\S]*The gate is closed/);
  });
});
