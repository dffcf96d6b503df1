import { expect, test } from '@jest/globals';
import { createTool, McpApplication, Module, type ToolContext } from 'toolwright';
import { focused, tabTo } from '../support/focus.ts';
import { tourOf } from '../support/toured.ts';

@Module({})
class Root {}

const desk = createTool<ToolContext>('desk')
  .action({
    name: 'greet',
    schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    handler: async ({ name }, context: ToolContext) => {
      const schema = { type: 'object', properties: { title: { type: 'string' } } } as const;
      const answer = await context.ask<{ title?: string }>(schema, 'Which title?');
      return answer.action === 'accept'
        ? `Hello ${String(answer.content.title)} ${String(name)}`
        : answer.action;
    },
  })
  .action({
    name: 'wait',
    handler: async (_input: unknown, context: ToolContext) => {
      await context.progress(1, 2, 'half');
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    },
  });

const toured = tourOf(async () => {
  const application = await McpApplication.create(Root, { name: 'desk' });
  application.registry.register(desk);
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

test('a call, its question and a cancel need no mouse, and the focus is never lost', async () => {
  const { tab } = toured;
  const { keyboard } = tab.page;
  await keyboard.press('Control+k');
  await tab.page.getByTestId('palette').waitFor();
  await keyboard.type('greet');
  await keyboard.press('Enter');
  await tab.page.getByTestId('action').waitFor();
  await tabTo(tab.page, 'input');
  await keyboard.type('Ada');
  await tabTo(tab.page, 'call');
  await keyboard.press('Enter');
  await tab.question.waitFor();
  await tabTo(tab.page, 'input');
  await keyboard.type('Dr');
  await tabTo(tab.page, 'accept');
  await keyboard.press('Enter');
  expect(await tab.content()).toBe('Hello Dr Ada');
  expect(await focused(tab.page)).toBe('call');
  await keyboard.press('Enter');
  await tab.question.waitFor();
  // The keys of the page below do nothing as long as the question is open
  const checks: string[] = [];
  tab.page.on('request', (request) => {
    if (request.url().endsWith('/check')) checks.push(request.url());
  });
  await keyboard.press('Control+Shift+Enter');
  await keyboard.press('Escape');
  expect(await tab.content()).toBe('cancel');
  expect(checks).toEqual([]);
  expect(await focused(tab.page)).toBe('call');

  await tab.openAction('desk', 'wait');
  await keyboard.press('Control+Enter');
  await tab.page.getByTestId('progress').waitFor();
  await tabTo(tab.page, 'cancel');
  await keyboard.press('Enter');
  expect(await tab.ended()).toBe('cancelled');
  await tab.frame();
  expect(await focused(tab.page)).not.toBe('BODY');
});

test('the views of an input and of a result are tabs, which the arrow keys go through', async () => {
  const { tab } = toured;
  const { keyboard } = tab.page;
  await tab.openAction('desk', 'greet');
  await tabTo(tab.page, 'view-form');
  await keyboard.press('ArrowRight');
  expect(await focused(tab.page)).toBe('view-json');
  await tab.page.getByTestId('json').waitFor();
  await keyboard.press('ArrowRight');
  expect(await focused(tab.page)).toBe('view-form');
  await tab.page.getByTestId('form').waitFor();
  await keyboard.press('End');
  expect(await focused(tab.page)).toBe('view-json');
  const selected = tab.page.locator(
    '[role="tablist"][aria-label="View of the input"] [aria-selected="true"]',
  );
  expect(await selected.allInnerTexts()).toEqual(['JSON']);
});

test('the palette keeps the chosen one in sight, and hands the focus on to what it leads to', async () => {
  const { tab } = toured;
  const { keyboard } = tab.page;
  await tab.page.setViewportSize({ width: 600, height: 320 });
  await keyboard.press('Control+k');
  const palette = tab.page.getByTestId('palette');
  await palette.waitFor();
  for (let count = 0; count < 7; count += 1) await keyboard.press('ArrowDown');
  await tab.frame();
  const isInSight = await tab.page.evaluate(`(() => {
    const chosen = document.querySelector('[aria-selected="true"][role="option"]').getBoundingClientRect();
    const list = document.getElementById('palette-list').getBoundingClientRect();
    return chosen.top >= list.top && chosen.bottom <= list.bottom;
  })()`);
  expect(isInSight).toBe(true);
  await keyboard.type('greet');
  await keyboard.press('Enter');
  await tab.page.getByTestId('action').waitFor();
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('middle');
  await keyboard.press('Tab');
  expect(await tab.page.evaluate(`document.activeElement.closest('#middle') !== null`)).toBe(true);
});

test('a question begins in what it asks for', async () => {
  const { tab } = toured;
  await tab.openAction('desk', 'greet');
  await tab.field('name').fill('Ada');
  await tab.startCall();
  await tab.question.waitFor();
  await tab.page.keyboard.type('Dr');
  await tab.page.keyboard.press('Control+Enter');
  expect(await tab.content()).toBe('Hello Dr Ada');
});

test('the drawer of a narrow window takes the focus, gives it back, and hands it on', async () => {
  const { tab } = toured;
  const { keyboard } = tab.page;
  await tab.page.setViewportSize({ width: 320, height: 800 });
  await tab.page.locator('#drawer').focus();
  await keyboard.press('Enter');
  await tab.frame();
  expect(await focused(tab.page)).toBe('search');
  await keyboard.press('Escape');
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('drawer');
  expect(await tab.page.getByTestId('tree').isVisible()).toBe(false);
  await keyboard.press('Enter');
  await tab.frame();
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await tab.page.getByTestId('action').waitFor();
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('middle');
  expect(await tab.page.getByTestId('tree').isVisible()).toBe(false);
});

test('g t leads to the traffic', async () => {
  const { tab } = toured;
  await tab.page.keyboard.press('g');
  await tab.page.keyboard.press('t');
  await tab.page.getByTestId('traffic').waitFor();
});

test('every control of an action is reached with Tab, and shows that it has the focus', async () => {
  const { tab } = toured;
  await tab.openAction('desk', 'greet');
  // It comes later, and has controls as well
  await tab.page.getByTestId('model-text').waitFor();
  const controls = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0)`;
  const all = await tab.page.evaluate<number>(
    `(() => { globalThis.reached = new Set(); return ${controls}.length; })()`,
  );
  const hidden: string[] = [];
  await tab.page.evaluate('document.activeElement.blur()');
  for (let count = 0; count < all * 2; count += 1) {
    await tab.page.keyboard.press('Tab');
    const bare = await tab.page.evaluate<string | undefined>(`(() => {
      const at = document.activeElement;
      if (at === document.body) return undefined;
      globalThis.reached.add(at);
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const inner = at.shadowRoot?.querySelector('.cm-focused');
      return inner || (outlineStyle !== 'none' && outlineWidth !== '0px') ? undefined : at.outerHTML.slice(0, 120);
    })()`);
    if (bare !== undefined) hidden.push(bare);
  }
  const missed = await tab.page.evaluate<readonly string[]>(
    `${controls}.filter((each) => !globalThis.reached.has(each)).map((each) => each.outerHTML.slice(0, 120))`,
  );
  expect([missed, hidden]).toEqual([[], []]);
});

test('the tree moves with the arrow keys, closes and opens', async () => {
  const { tab } = toured;
  await tab.openAction('desk', 'greet');
  await tab.page.locator('[data-testid="row"][aria-current="page"]').focus();
  await tab.page.keyboard.press('ArrowDown');
  expect(await tab.page.evaluate('document.activeElement.innerText')).toContain('wait');
  await tab.page.keyboard.press('Home');
  await tab.page.keyboard.press('ArrowLeft');
  expect(await tab.page.getByTestId('row').count()).toBe(0);
  await tab.page.keyboard.press('ArrowRight');
  expect(await tab.page.getByTestId('row').count()).toBe(2);
});
