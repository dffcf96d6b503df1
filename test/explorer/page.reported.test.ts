import { beforeEach, describe, expect, test } from '@jest/globals';
import { createReported, received } from '../support/reported-app.ts';
import { tourOf } from '../support/toured.ts';

/** What people reported of the inputs of another inspector: each behaviour is a test of its own. */

const toured = tourOf(async () => {
  const application = await createReported();
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

beforeEach(async () => {
  received.length = 0;
  await toured.tab.openAction('kept', 'keep');
});

/** The text of an editor, as it stands there. */
async function typed(path: string): Promise<string> {
  const text = await toured.tab.field(path, 'json').innerText();
  return text.replaceAll('\u00a0', ' ');
}

async function press(keys: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) await toured.tab.page.keyboard.press(keys);
}

describe('what is typed', () => {
  test('as JSON, key by key, is never rewritten, and nothing older is sent instead (inspector#1853)', async () => {
    const { tab } = toured;
    await tab.field('ids', 'state').selectOption('value');
    await tab.field('ids', 'json').click();
    const wanted = '["item-1", "item \\"2\\""]';
    for (const [index, character] of wanted.split(/(?=.)/s).entries()) {
      await tab.page.keyboard.insertText(character);
      expect(await typed('ids')).toBe(wanted.slice(0, index + 1));
      const isComplete = index + 1 === wanted.length;
      expect([index, await tab.page.getByTestId('call').isDisabled()]).toEqual([index, !isComplete]);
    }
    await tab.call();
    expect(received).toEqual([{ ids: ['item-1', 'item "2"'] }]);
  });

  test.each(['form', 'json'])('in the %s, faster than the page is drawn, stays as well', async (view) => {
    const { tab } = toured;
    if (view === 'form') await tab.field('ids', 'state').selectOption('value');
    else await tab.page.getByTestId('view-json').click();
    const editor = tab.page.getByTestId('json').first();
    await editor.click();
    await tab.page.keyboard.press('Control+a');
    const wanted = view === 'form' ? '["item-1", "item-2", [3, {}]]' : '{"ids": ["item-1", 2]}';
    await tab.page.evaluate(`(async () => {
      for (const character of ${JSON.stringify(wanted)}) {
        document.execCommand('insertText', false, character);
        await new Promise((passed) => setTimeout(passed));
      }
    })()`);
    await tab.frame();
    expect(await editor.innerText()).toBe(wanted);
    await tab.call();
    expect(received).toEqual([view === 'form' ? { ids: JSON.parse(wanted) as unknown } : JSON.parse(wanted)]);
  });

  test('is taken away character by character, also while it is not JSON (inspector#1856)', async () => {
    const { tab } = toured;
    await tab.field('ids', 'state').selectOption('value');
    await tab.field('ids', 'json').fill('[1, 2]');
    await press('End');
    for (const left of ['[1, 2', '[1, ', '[1,', '[1']) {
      await press('Backspace');
      expect(await typed('ids')).toBe(left);
    }
    await tab.page.keyboard.insertText(', 3]');
    await tab.call();
    expect(received).toEqual([{ ids: [1, 3] }]);
  });

  test('in the place of a null replaces it (inspector#1885)', async () => {
    const { tab } = toured;
    await tab.typeJson('{"count": null}');
    await press('Control+End');
    await press('ArrowLeft');
    for (const left of ['nul', 'nu', 'n', '']) {
      await press('Backspace');
      expect(await tab.page.getByTestId('json').first().innerText()).toBe(`{"count": ${left}}`);
    }
    await tab.page.keyboard.insertText('5');
    await tab.call();
    await tab.page.getByTestId('view-form').click();
    await tab.field('count', 'state').selectOption('null');
    await tab.call();
    await tab.field('count').fill('6');
    await tab.call();
    expect(received).toEqual([{ count: 5 }, { count: null }, { count: 6 }]);
  });

  test('as JSON keeps its escapes, quotes and line breaks, also after a look at the form', async () => {
    const { tab } = toured;
    const text = '{\n  "text": "a \\"b\\" \\\\ \\n \\u00e9 {{c}} \\/",\n  "extra": [1.0, 2e3]\n}';
    await tab.typeJson(text);
    await tab.page.getByTestId('view-form').click();
    await tab.page.getByTestId('view-json').click();
    expect((await tab.page.getByTestId('json').innerText()).replaceAll('\u00a0', ' ')).toBe(text);
    await tab.page.getByTestId('json').fill('{"text": "a \\"b\\" \\\\ \\n \\u00e9 {{c}} \\/"}');
    await tab.call();
    expect(received).toEqual([{ text: 'a "b" \\ \n é {{c}} /' }]);
  });

  test('into an enum that may be null is null, a value, or absent (inspector#1928)', async () => {
    const { tab } = toured;
    for (const [field, value] of [
      ['level', 'high'],
      ['direction', 'out'],
    ] as const) {
      received.length = 0;
      for (const choice of ['null', value, 'absent']) {
        await tab.field(field).selectOption({ label: choice });
        await tab.call();
      }
      expect(received).toEqual([{ [field]: null }, { [field]: value }, {}]);
    }
  });

  test('into objects in objects, and lists of them, has a field for each part (inspector#332)', async () => {
    const { tab } = toured;
    await tab.field('order', 'state').selectOption('value');
    await tab.field('order.customer', 'state').selectOption('value');
    await tab.field('order.customer.city').fill('Köln');
    await tab.field('order.items', 'state').selectOption('value');
    for (const [index, product] of ['Laptop', 'Mouse'].entries()) {
      await tab.field('order.items', 'add').click();
      await tab.field(`order.items[${String(index)}].product`).fill(product);
      await tab.field(`order.items[${String(index)}].quantity`).fill(String(index + 1));
    }
    await tab.call();
    const items = [
      { product: 'Laptop', quantity: 1 },
      { product: 'Mouse', quantity: 2 },
    ];
    expect(received).toEqual([{ order: { customer: { city: 'Köln' }, items } }]);
  });

  test.each(['2025', '2026'] as const)(
    'into the _meta of a call is any JSON, is kept, and is sent, era %s (inspector#1910)',
    async (era) => {
      const { tab } = toured;
      const meta = { 'example.com/trace': { id: 'a-1', hops: [1, 2.5, null], isNew: true } };
      await tab.chooseEra(era);
      await tab.page.getByText('_meta of the call').click();
      await tab.page.getByTestId('call-meta').getByTestId('json').fill(JSON.stringify(meta));
      const sent = tab.page.waitForRequest((request) => request.postData()?.includes('tools/call') === true);
      await tab.call();
      expect((await sent).postDataJSON()).toMatchObject({ params: { _meta: meta } });
      await tab.openAction('kept', 'nothing');
      await tab.openAction('kept', 'keep');
      expect(await tab.page.getByTestId('call-meta').getByTestId('json').innerText()).toContain('a-1');
    },
  );

  test.each(['2025', '2026'] as const)(
    'into the variables of a template makes its address, era %s (inspector#1919)',
    async (era) => {
      const { tab } = toured;
      await tab.chooseEra(era);
      await tab.go(`template/${encodeURIComponent('books://{isbn}{?lang}')}`);
      await tab.field('isbn').fill('978 0/44');
      expect(await tab.page.getByTestId('uri').innerText()).toBe('books://978%200%2F44');
      expect(await tab.call()).toContain('978 0/44 in any language');
      await tab.field('lang').fill('français');
      expect(await tab.page.getByTestId('uri').innerText()).toBe('books://978%200%2F44?lang=fran%C3%A7ais');
      expect(await tab.call()).toContain('978 0/44 in français');
    },
  );
});

describe('a schema that cannot be drawn', () => {
  test('is typed as JSON where it cannot, and field by field elsewhere (inspector#674)', async () => {
    const { tab } = toured;
    await tab.openAction('broken', 'draw');
    await tab.field('right').fill('here');
    await tab.field('constructor').fill('there');
    await tab.field('endless', 'state').selectOption('value');
    await tab.field('endless.endless', 'state').selectOption('value');
    await tab.field('pair', 'state').selectOption('value');
    await tab.field('pair', 'json').fill('["a", 1]');
    await tab.field('any', 'state').selectOption('value');
    await tab.field('any', 'json').fill('{"b": []}');
    expect(await tab.call()).toContain('kept');
    const drawn = { right: 'here', constructor: 'there', endless: { endless: {} } };
    expect(received).toEqual([{ ...drawn, pair: ['a', 1], any: { b: [] } }]);
  });

  test('takes nothing else away, in whatever order tools are shown (inspector#906)', async () => {
    const { tab } = toured;
    for (const [tool, key, field] of [
      ['broken', 'draw', 'right'],
      ['kept', 'keep', 'text'],
      ['broken', 'draw', 'right'],
      ['kept', 'keep', 'text'],
    ] as const) {
      await tab.page.getByTestId('row').filter({ hasText: key }).click();
      await tab.page.getByRole('heading', { name: `${tool}.${key}` }).waitFor();
      expect(await tab.field(field).isVisible()).toBe(true);
      expect(await tab.page.getByTestId('call').isEnabled()).toBe(true);
    }
  });

  test('hides no member of an input, whatever it is called', async () => {
    const { tab } = toured;
    await tab.typeJson('{"text": "a", "toString": "b", "__proto__": "c", "valueOf": 1}');
    await tab.page.getByTestId('view-form').click();
    for (const name of ['toString', '__proto__', 'valueOf'])
      expect([name, await tab.field(name, 'json').isVisible()]).toEqual([name, true]);
  });
});
