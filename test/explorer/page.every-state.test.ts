import { describe, expect, test } from '@jest/globals';
import { createTool, McpApplication, Module, ToolError, type JsonSchema, type ToolContext } from 'toolwright';
import { cutOff, violations } from '../support/page-faults.ts';
import { tourOf } from '../support/toured.ts';
import { IS_THOROUGH } from '../support/thorough.ts';

@Module({})
class Root {}

const LONG = 'aNameThatGeneratedCodeHasAndThatNoColumnHasRoomFor'.repeat(3);

const EVERYTHING: JsonSchema = {
  type: 'object',
  properties: {
    [LONG]: { type: 'string', description: `${LONG} ${LONG}`, pattern: `^${LONG}$`, maxLength: 1 },
    שם: { type: 'string', description: 'שם המשימה (title)' },
    due: { type: 'string', format: 'date' },
    level: { type: ['string', 'null'], enum: ['low', LONG, null] },
    people: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
    shape: {
      anyOf: [
        { title: 'circle', type: 'object' },
        { title: 'side', type: 'integer' },
      ],
    },
    free: {},
  },
  required: ['shape', 'due'],
};

/** A question has no more than this. */
const FLAT: JsonSchema = {
  type: 'object',
  properties: {
    [LONG]: { type: 'string', description: `${LONG} ${LONG}`, maxLength: 1 },
    level: { type: 'string', enum: ['low', LONG] },
    subscribe: { type: 'boolean', default: true },
  },
  required: [LONG],
};

const states = createTool<ToolContext>('states')
  .action({ name: 'everything', description: LONG, schema: EVERYTHING, handler: () => LONG })
  .action({ name: LONG, handler: () => 'שלום — and English — עולם' })
  .action({
    name: 'fail',
    handler: () => {
      throw new ToolError('BROKEN', `It does not work: ${LONG}`);
    },
  })
  .action({
    name: 'ask',
    handler: async (_input: unknown, context: ToolContext) =>
      (await context.ask<object>(FLAT, `${LONG}?\nIt is needed.`)).action,
  })
  .action({
    name: 'open',
    handler: async (_input: unknown, context: ToolContext) =>
      (await context.askUrl(`https://pay.example/${LONG}`, 'Pay here')).action,
  })
  .action({
    name: 'sample',
    handler: async (_input: unknown, context: ToolContext) =>
      JSON.stringify(await context.sample('Translate "bee"')),
  })
  .action({
    name: 'wait',
    handler: async (_input: unknown, context: ToolContext) => {
      await context.progress(1, 4, `${LONG}, and the next one takes a while`);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    },
  });

const toured = tourOf(async () => {
  const application = await McpApplication.create(Root, { name: LONG });
  application.registry.register(states);
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

const PROBLEM = { code: 'TW_BROKEN', where: `${LONG}.create()`, what: 'takes one', why: LONG, fix: LONG };

/** Brings the page into a state that no address leads to. */
const STATES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a form with everything': async () => {
    const { tab } = toured;
    await tab.openAction('states', 'everything');
    await tab.field('people', 'state').selectOption('value');
    await tab.field('people', 'add').click();
    await tab.field('free', 'state').selectOption('value');
    await tab.field('free', 'json-field').waitFor();
  },
  'input that is not JSON': async () => {
    await toured.tab.openAction('states', 'everything');
    await toured.tab.typeJson('{"due": oops,');
    await toured.tab.page.getByTestId('fault').waitFor();
  },
  'text of both directions': async () => {
    await toured.tab.openAction('states', LONG);
    await toured.tab.call();
  },
  'a result that is an error': async () => {
    await toured.tab.openAction('states', 'fail');
    await toured.tab.startCall();
    await toured.tab.ended();
  },
  'a question with everything': async () => {
    await toured.tab.openAction('states', 'ask');
    await toured.tab.startCall();
    await toured.tab.question.waitFor();
  },
  'an address to open': async () => {
    await toured.tab.openAction('states', 'open');
    await toured.tab.startCall();
    await toured.tab.question.waitFor();
  },
  'a question to a model': async () => {
    await toured.tab.openAction('states', 'sample');
    await toured.tab.startCall();
    await toured.tab.question.waitFor();
  },
  progress: async () => {
    await toured.tab.openAction('states', 'wait');
    await toured.tab.startCall();
    await toured.tab.page.getByTestId('progress').waitFor();
  },
  'a search without a find': async () => {
    await toured.tab.page.getByTestId('search').fill('zzz');
    await toured.tab.page.getByText('Nothing has all these words').waitFor();
  },
  'problems of a save': async () => {
    const { page } = toured.tab;
    const failure = { text: '', problems: [PROBLEM, { ...PROBLEM, what: 'takes none' }] };
    await page.addInitScript(addEvent, JSON.stringify({ type: 'failed', failure }));
    await page.reload();
    await page.getByTestId('problems').waitFor();
  },
  'no answer so far': async () => {
    const { page } = toured.tab;
    await page.route('**/explorer/api/**', () => undefined);
    await page.reload();
    await page.locator('main [data-state="loading"]').waitFor();
  },
  'no token': async () => {
    const { page } = toured.tab;
    // The browser says so of each refused request
    page.removeAllListeners('console');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByTestId('failure').waitFor();
  },
};

/** Runs in the page: an event comes after each one of the server. */
function addEvent(event: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (...given) => {
    const response = await fetch(...given);
    if (!response.url.includes('/explorer/api/events') || response.body === null) return response;
    const further = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        controller.enqueue(chunk);
        controller.enqueue(new TextEncoder().encode(`${event}\n`));
      },
    });
    return new Response(response.body.pipeThrough(further), response);
  };
}

/** Narrow, and as on most screens; all others with the full counts. */
const WIDTHS = IS_THOROUGH ? [320, 600, 900, 1280, 2560] : [320, 1280];

describe.each(Object.keys(STATES))('%s', (name) => {
  test('is within reach at each width, and has nothing that axe finds', async () => {
    const { page } = toured.tab;
    await STATES[name]?.();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await toured.tab.frame();
        const found = { width, colorScheme, violations: await violations(page), cutOff: await cutOff(page) };
        expect(found).toEqual({ width, colorScheme, violations: [], cutOff: [] });
      }
    }
  });
});
