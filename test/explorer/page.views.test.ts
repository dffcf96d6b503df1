import { describe, expect, test } from '@jest/globals';
import { tour } from '../support/toured.ts';

const toured = tour('release-manager');

test.each(['constructor', '__proto__', 'toString'])(
  '#/%s names nothing, and the page says so',
  async (name) => {
    const { tab } = toured;
    await tab.go(name);
    const middle = await tab.page.locator('#middle').innerText();
    expect(middle).toContain('Nothing is here');
    expect(middle).toContain(`${name} is not offered`);
  },
);

describe('the choice between an action and what a model sees', () => {
  test('stands only where the second column has no room', async () => {
    const { tab } = toured;
    await tab.openAction('workflow_start');
    expect(await tab.page.getByTestId('columns').isVisible()).toBe(false);
    expect(await tab.page.getByTestId('model-column').isVisible()).toBe(true);
    await tab.page.setViewportSize({ width: 800, height: 800 });
    expect(await tab.page.getByTestId('model-column').isVisible()).toBe(false);
    await tab.page.getByTestId('columns').getByText('What the model sees').click();
    expect(await tab.page.getByTestId('model-column').isVisible()).toBe(true);
    expect(await tab.page.getByTestId('call').isVisible()).toBe(false);
  });

  test('stands above nothing but actions, and takes no other view away', async () => {
    const { tab } = toured;
    await tab.page.setViewportSize({ width: 800, height: 800 });
    await tab.openAction('workflow_start');
    await tab.page.getByTestId('columns').getByText('What the model sees').click();
    for (const [place, view] of [
      ['', 'overview'],
      ['graph', 'graph'],
      ['model', 'model-page'],
      ['lock', 'lock-page'],
      ['traffic', 'traffic'],
      ['workflow/release-checklist', 'workflow'],
    ] as const) {
      await tab.go(place);
      await tab.page.getByTestId(view).waitFor();
      expect([place, await tab.page.getByTestId('columns').count()]).toEqual([place, 0]);
    }
  });
});

test('another view begins at its top, and the tab of the browser says which it is', async () => {
  const { tab } = toured;
  const top = (): Promise<number> => tab.page.evaluate(`document.getElementById('middle').scrollTop`);
  await tab.page.setViewportSize({ width: 1280, height: 400 });
  await tab.openAction('workflow_start');
  await tab.page.evaluate(`document.getElementById('middle').scrollTo(0, 200)`);
  expect(await top()).toBe(200);
  await tab.openAction('workflow_continue');
  expect(await top()).toBe(0);
  expect(await tab.page.title()).toBe('workflow_continue · release-manager · Toolwright explorer');
});

test('the timeline shows what happened last', async () => {
  const { tab } = toured;
  await tab.openAction('workflow_list');
  for (let count = 0; count < 8; count += 1) await tab.call();
  const last = tab.page.getByTestId('timeline').getByTestId('span').last();
  await tab.frame();
  const [line, list] = [
    await last.boundingBox(),
    await tab.page.getByTestId('timeline').locator('.spans').boundingBox(),
  ];
  expect((line?.y ?? Infinity) + (line?.height ?? 0)).toBeLessThanOrEqual(
    (list?.y ?? 0) + (list?.height ?? 0) + 1,
  );
});

test('a call without a result shows what passed, and offers no empty views', async () => {
  const { tab } = toured;
  await tab.openAction('workflow_list');
  await tab.page.route('**/explorer/mcp', (route) => route.fulfill({ status: 500, body: '' }));
  tab.provoke('status of 500');
  await tab.startCall();
  expect(await tab.ended()).toBe('failed');
  const views = tab.page.getByRole('tablist', { name: 'View of the result' });
  expect(await views.getByRole('tab').allInnerTexts()).toEqual(['raw']);
  expect(await tab.page.getByTestId('json-text').innerText()).toContain('tools/call');
});

describe('the picture of the dependencies', () => {
  test.each([320, 1280, 2560])(
    'is reached as a whole at %i px, by scrolling or by fitting',
    async (width) => {
      const { tab } = toured;
      await tab.page.setViewportSize({ width, height: 800 });
      await tab.go('graph');
      const region = tab.page.getByRole('region', { name: 'Picture of the dependencies' });
      const sizes = `(() => {
      const [region, picture] = [document.querySelector('.scroll'), document.querySelector('.scroll svg')];
      region.scrollLeft = 1e6;
      const [outer, inner] = [region.getBoundingClientRect(), picture.getBoundingClientRect()];
      return { hidden: inner.right - outer.right, beside: outer.right - innerWidth, width: inner.width };
    })()`;
      const natural = await tab.page.evaluate<Record<string, number>>(sizes);
      expect(natural['hidden']).toBeLessThanOrEqual(0.5);
      expect(natural['beside']).toBeLessThanOrEqual(0);
      await tab.page.getByTestId('fit').check();
      const { width: room = 0 } = (await region.boundingBox()) ?? {};
      const fitted = await tab.page.evaluate<Record<string, number>>(sizes);
      expect(fitted['width']).toBe(Math.min(natural['width'] ?? 0, room));
      await expect(tab.page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
    },
  );

  test('has what depends on something, and the list has all', async () => {
    const { tab } = toured;
    await tab.go('graph');
    const graph = tab.page.getByTestId('graph');
    const drawn = await graph.locator('svg text').allTextContents();
    const listed = await graph.locator('li').allInnerTexts();
    const needed = listed.flatMap((line) => line.split(' needs ')[1]?.split(', ') ?? []);
    const needing = listed.filter((line) => line.includes(' needs ')).map((line) => line.split(' ')[0]);
    expect(new Set(drawn)).toEqual(new Set([...needed, ...needing]));
    expect(listed.length).toBeGreaterThan(drawn.length);
  });
});
