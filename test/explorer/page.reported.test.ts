import { beforeEach, describe, expect, test } from '@jest/globals';
import { createTool, McpApplication, Module, type JsonSchema } from 'toolwright';
import { tourOf } from '../support/toured.ts';

/** What people reported of other inspectors: each behaviour is a test of its own. */

@Module({})
class Root {}

const received: unknown[] = [];

const INPUT: JsonSchema = {
  type: 'object',
  description: 'What is kept',
  properties: {
    text: { type: 'string' },
    level: { type: ['string', 'null'], enum: ['low', 'high', null] },
    owner: {
      type: 'object',
      properties: { address: { type: 'object', properties: { city: { type: 'string' } } } },
    },
  },
};

/** Without an end, with items that have no common schema, and with several types. */
const BROKEN: JsonSchema = {
  type: 'object',
  properties: {
    endless: { $ref: '#' },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    any: { type: ['string', 'object'] },
    right: { type: 'string' },
  },
};

const GIF = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const kept = createTool('kept')
  .action({
    name: 'keep',
    schema: INPUT,
    handler: (input) => {
      received.push(input);
      return { content: [{ type: 'text', text: 'kept' }], structuredContent: { count: received.length } };
    },
  })
  .action({
    name: 'picture',
    handler: () => ({
      content: [
        { type: 'image', mimeType: 'image/gif', data: GIF },
        { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
        { type: 'resource_link', uri: 'https://example.com/', name: 'a page' },
      ],
      _meta: { 'example.com/cost': 3 },
    }),
  })
  .action({ name: 'nothing', handler: () => ({ content: [], isError: false }) });

const broken = createTool('broken').action({
  name: 'draw',
  schema: BROKEN,
  handler: (input) => {
    received.push(input);
    return 'drawn';
  },
});

let application: McpApplication;
const toured = tourOf(async () => {
  application = await McpApplication.create(Root, { name: 'reported' });
  application.registry.registerAll(kept, broken);
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

beforeEach(async () => {
  received.length = 0;
  await toured.tab.openAction('kept', 'keep');
});

describe('what goes in', () => {
  test('text typed as JSON keeps its escapes, quotes and line breaks, also after a look at the form', async () => {
    const { tab } = toured;
    const typed = '{\n  "text": "a \\"b\\" \\\\ \\n \\u00e9 {{c}} \\/",\n  "extra": [1.0, 2e3]\n}';
    await tab.typeJson(typed);
    await tab.page.getByTestId('view-form').click();
    await tab.page.getByTestId('view-json').click();
    expect((await tab.page.getByTestId('json').innerText()).replaceAll('\u00a0', ' ')).toBe(typed);
    await tab.page.getByTestId('json').fill('{"text": "a \\"b\\" \\\\ \\n \\u00e9 {{c}} \\/"}');
    await tab.call();
    expect(received).toEqual([{ text: 'a "b" \\ \n é {{c}} /' }]);
  });

  test('text that is not JSON yet stays as it is typed', async () => {
    const { tab } = toured;
    await tab.typeJson('{"text": "half');
    await tab.page.getByTestId('view-form').click();
    await tab.page.getByTestId('view-json').click();
    expect(await tab.page.getByTestId('json').innerText()).toBe('{"text": "half');
    expect(await tab.page.getByTestId('call').isDisabled()).toBe(true);
  });

  test('an enum that may be null is null, a value, or absent', async () => {
    const { tab } = toured;
    for (const choice of ['null', 'high', 'absent']) {
      await tab.field('level').selectOption({ label: choice });
      await tab.call();
    }
    expect(received).toEqual([{ level: null }, { level: 'high' }, {}]);
  });

  test('an object in an object is typed field by field', async () => {
    const { tab } = toured;
    await tab.field('owner', 'state').selectOption('value');
    await tab.field('owner.address', 'state').selectOption('value');
    await tab.field('owner.address.city').fill('Köln');
    await tab.call();
    expect(received).toEqual([{ owner: { address: { city: 'Köln' } } }]);
  });

  test('the _meta of a call is typed, kept and sent', async () => {
    const { tab } = toured;
    await tab.page.getByText('_meta of the call').click();
    await tab.page.getByTestId('call-meta').getByTestId('json').fill('{"example.com/trace": "a-1"}');
    const sent = tab.page.waitForRequest((request) => request.postData()?.includes('tools/call') === true);
    await tab.call();
    expect((await sent).postDataJSON()).toMatchObject({ params: { _meta: { 'example.com/trace': 'a-1' } } });
  });

  test('a schema that cannot be drawn is typed as JSON, and takes nothing else away', async () => {
    const { tab } = toured;
    await tab.openAction('broken', 'draw');
    await tab.field('right').fill('here');
    await tab.field('endless', 'state').selectOption('value');
    await tab.field('endless.endless', 'state').selectOption('value');
    await tab.field('pair', 'state').selectOption('value');
    await tab.field('pair', 'json').fill('["a", 1]');
    await tab.field('any', 'state').selectOption('value');
    await tab.field('any', 'json').fill('{"b": []}');
    expect(await tab.call()).toBe('drawn');
    expect(received).toEqual([{ right: 'here', endless: { endless: {} }, pair: ['a', 1], any: { b: [] } }]);
    await tab.openAction('kept', 'keep');
    expect(await tab.field('text').isVisible()).toBe(true);
  });
});

describe('what comes out', () => {
  test('the definition that an agent gets is there to the letter', async () => {
    const text = await toured.tab.page.getByTestId('model-text').innerText();
    const definition: unknown = JSON.parse(
      JSON.stringify(application.definitions.find(({ name }) => name === 'kept')),
    );
    expect(JSON.parse(text.slice(text.indexOf('\n{') + 1))).toEqual(definition);
  });

  test('a structured result is shown beside its text', async () => {
    const { tab } = toured;
    expect(await tab.call()).toBe('kept');
    await tab.page.getByTestId('result-structured').click();
    expect(JSON.parse(await tab.page.getByTestId('json-text').innerText())).toEqual({ count: 1 });
  });

  test('the _meta of a result is shown', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'picture');
    await tab.call();
    await tab.page.getByTestId('result-_meta').click();
    expect(await tab.page.getByTestId('json-text').innerText()).toContain('"example.com/cost": 3');
  });

  test('a picture is shown, and what could hold a script is text', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'picture');
    expect(await tab.call()).toContain('image/svg+xml');
    const pictures = tab.page.getByTestId('result').locator('img');
    expect(await pictures.count()).toBe(1);
    expect(await pictures.getAttribute('src')).toBe(`data:image/gif;base64,${GIF}`);
    const link = tab.page.getByTestId('content').getByRole('link');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  test('an empty result is a result, and looks different from none', async () => {
    const { tab } = toured;
    await tab.openAction('kept', 'nothing');
    expect(await tab.page.getByTestId('result').innerText()).toContain('Not called yet');
    expect(await tab.call()).toContain('the call ran, and had nothing to say');
  });

  test('the messages of a call are there as they passed, in both directions', async () => {
    const { tab } = toured;
    await tab.field('text').fill('raw');
    await tab.call();
    await tab.page.getByTestId('result-raw').click();
    const messages = JSON.parse(await tab.page.getByTestId('json-text').innerText()) as object[];
    expect(messages).toEqual(
      expect.arrayContaining([
        { sent: expect.objectContaining({ jsonrpc: '2.0', method: 'tools/call' }) },
        { received: expect.objectContaining({ jsonrpc: '2.0', result: expect.anything() }) },
      ]),
    );
  });

  test('a page without a right token says what is missing, why, and where to get it', async () => {
    const { tab } = toured;
    await tab.page.evaluate("sessionStorage.setItem('toolwright-explorer-token', 'wrong')");
    await tab.page.reload();
    const failure = tab.page.getByTestId('failure').first();
    await failure.waitFor();
    expect(await failure.innerText()).toMatch(/no valid token[\s\S]*why:[\s\S]*fix:[\s\S]*#token=/);
    expect(tab.complaints.splice(0)).not.toContainEqual(expect.not.stringContaining('401'));
  });

  test('an endpoint that answers with an error says which', async () => {
    const { tab } = toured;
    await tab.page.route('**/explorer/mcp', (route) =>
      route.fulfill({ status: 503, body: 'The gate is closed' }),
    );
    await tab.chooseEra('2025');
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('failure').first().innerText()).toContain('503');
    expect(tab.complaints.splice(0)).not.toContainEqual(expect.not.stringContaining('503'));
  });
});
