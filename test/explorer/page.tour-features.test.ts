import { beforeEach, describe, expect, test } from '@jest/globals';
import { createTool, McpApplication, Module, type JsonSchema, type ToolContext } from 'toolwright';
import { eventually } from '../support/eventually.ts';
import { tourOf } from '../support/toured.ts';
import { TasksModule } from '../support/versioned-tasks.ts';

const received: unknown[] = [];

const SHAPES: JsonSchema = {
  type: 'object',
  properties: {
    shape: {
      anyOf: [
        {
          title: 'circle',
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          title: 'square',
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'integer' } },
          required: ['kind', 'side'],
        },
      ],
    },
    id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    level: { oneOf: [{ const: 1, title: 'low' }, { const: 2, title: 'high' }, { type: 'null' }] },
    names: { type: 'array', items: { type: 'string' } },
  },
};

const features = createTool<ToolContext>('features')
  .action({
    name: 'draw',
    schema: SHAPES,
    handler: (input) => {
      received.push(input);
      return 'drawn';
    },
  })
  .action({
    name: 'place',
    schema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    handler: ({ region }) => `in ${String(region)}`,
  })
  .action({
    name: 'pay',
    handler: async (_input: unknown, context: ToolContext) =>
      (await context.askUrl('https://pay.example/1', 'Pay here')).action,
  })
  .action({
    name: 'translate',
    handler: async (_input: unknown, context: ToolContext) =>
      `It says ${JSON.stringify((await context.sample('Translate "bee"')).content)}`,
  })
  .action({
    name: 'wait',
    handler: async (_input: unknown, context: ToolContext) => {
      await context.progress(1, 4, 'one of four');
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      received.push('aborted');
    },
  });

@Module({ imports: [TasksModule] })
class Root {}

const toured = tourOf(async () => {
  const application = await McpApplication.create(Root, { name: 'features' });
  application.registry.register(features);
  const { explorer = '' } = await application.listen({ port: 0, explorer: true, signals: false });
  return { explorer, stop: () => application.close() };
});

beforeEach(() => {
  received.length = 0;
});

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  beforeEach(() => toured.tab.chooseEra(era));

  test('an address that is to be opened is shown, and opened, declined or cancelled', async () => {
    const { tab } = toured;
    await tab.page.context().route('https://pay.example/**', (route) => route.fulfill({ body: 'paid' }));
    await tab.openAction('features', 'pay');
    for (const [button, said] of [
      ['open', 'accept'],
      ['decline', 'decline'],
      ['cancel-question', 'cancel'],
    ] as const) {
      await tab.startCall();
      await tab.question.waitFor();
      expect(await tab.question.innerText()).toContain('https://pay.example/1');
      expect(await tab.question.getByTestId('leads-to').innerText()).toBe('pay.example');
      await tab.question.getByTestId(button).click();
      expect(await tab.content()).toBe(said);
    }
  });

  test('what a model would say is typed, or refused', async () => {
    const { tab } = toured;
    await tab.openAction('features', 'translate');
    await tab.startCall();
    expect(await tab.question.innerText()).toContain('Translate \\"bee\\"');
    await tab.question.getByTestId('sampled').fill('Biene');
    await tab.question.getByTestId('accept').click();
    expect(await tab.content()).toContain('Biene');
    await tab.startCall();
    await tab.question.getByTestId('decline').click();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('result').innerText()).toMatch(/refused|did not|could not/i);
  });

  test('a call that waits shows its progress, and is cancelled at the server', async () => {
    const { tab } = toured;
    await tab.openAction('features', 'wait');
    await tab.startCall();
    await tab.page.getByTestId('progress').filter({ hasText: 'one of four' }).waitFor();
    await tab.page.getByTestId('cancel').click();
    expect(await tab.ended()).toBe('cancelled');
    await eventually(() => received.includes('aborted'));
  });

  test('a version of an action is chosen, in words or in _meta', async () => {
    const { tab } = toured;
    await tab.openAction('tasks', 'create');
    await tab.page.getByTestId('version').selectOption('1.0.0');
    await tab.typeJson({ title: 'Write' });
    expect(await tab.call()).toBe('first Write');
    await tab.page.getByTestId('version').selectOption('');
    await tab.typeJson({ summary: 'Write' });
    expect(await tab.call()).toBe('second Write');
    await tab.page.getByText('_meta of the call').click();
    const meta = tab.page.getByTestId('call-meta').getByTestId('json');
    await meta.fill('{"toolwright/versions": {"create": "3.0.0-beta.1"}, "note": "a \\"quoted\\" text"}');
    expect(await tab.call()).toBe('third Write');
    await tab.page.getByTestId('result-raw').click();
    expect(await tab.page.getByTestId('json-text').innerText()).toContain('a \\"quoted\\" text');
    await tab.go('tool/tasks/list');
    await tab.openAction('tasks', 'create');
    expect(await tab.page.getByTestId('version').inputValue()).toBe('3.0.0-beta.1');
  });

  test('a call with _meta repeats arguments as headers where the era wants them', async () => {
    const { tab } = toured;
    await tab.openAction('features', 'place');
    await tab.field('region').fill('north');
    await tab.page.getByText('_meta of the call').click();
    await tab.page.getByTestId('call-meta').getByTestId('json').fill('{"example.com/trace": "a-1"}');
    expect(await tab.call()).toBe('in north');
  });

  test('a header that was added is sent, and never replaces the token', async () => {
    const { tab } = toured;
    await tab.go('');
    await tab.page.getByRole('button', { name: '+ header' }).click();
    await tab.page.getByLabel('Name of header 1').fill('X-Tenant');
    await tab.page.getByLabel('Value of header 1').fill('north');
    await tab.page.getByRole('button', { name: '+ header' }).click();
    await tab.page.getByLabel('Name of header 2').fill('Toolwright-Explorer-Token');
    await tab.page.getByLabel('Value of header 2').fill('wrong');
    await tab.openAction('tasks', 'list');
    const sent = tab.page.waitForRequest((request) => request.postData()?.includes('tools/call') === true);
    expect(await tab.call()).toBe('none');
    expect((await sent).headers()['x-tenant']).toBe('north');
    await tab.go('');
    await tab.page.getByLabel('Name of header 2').fill('not a name');
    await tab.openAction('tasks', 'list');
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.page.getByTestId('failure').first().innerText()).toContain('name');
  });
});

test('a union has a choice: its constants are there, and JSON of the other kind is recognized', async () => {
  const { tab } = toured;
  await tab.openAction('features', 'draw');
  await tab.field('shape', 'state').selectOption('value');
  await tab.field('shape', 'branch').selectOption({ label: 'square' });
  await tab.field('shape.side').fill('3');
  await tab.field('level').selectOption({ label: 'high (2)' });
  await tab.field('names', 'state').selectOption('value');
  await tab.field('names', 'add').click();
  await tab.field('names[0]').fill('');
  await tab.field('id', 'state').selectOption('value');
  await tab.field('id', 'branch').selectOption({ label: 'integer' });
  await tab.field('id').fill('7');
  expect(await tab.call()).toBe('drawn');
  expect(received).toEqual([{ shape: { kind: 'square', side: 3 }, level: 2, names: [''], id: 7 }]);
  await tab.typeJson({ shape: { kind: 'circle', radius: 2 }, id: 'a' });
  await tab.page.getByTestId('view-form').click();
  expect(await tab.field('shape', 'branch').locator('option:checked').innerText()).toBe('circle');
  expect(await tab.field('id').inputValue()).toBe('a');
});

test('what is deprecated says since when, and what to use', async () => {
  const { tab } = toured;
  expect(await tab.page.getByTestId('tree').innerText()).toContain('deprecated');
  await tab.page.getByTestId('row').filter({ hasText: 'deprecated' }).first().click();
  expect(await tab.page.getByTestId('action').innerText()).toContain('deprecated since 1.2.0, use list');
});
