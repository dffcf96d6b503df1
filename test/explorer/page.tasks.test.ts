import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { McpApplication } from 'toolwright';
import { PATHS } from '../../src/explorer/contract.ts';
import { Gates, JobsController, JobsModule } from '../support/jobs-module.ts';
import { eventually } from '../support/eventually.ts';
import { goTo } from '../support/explored-page.ts';
import { tabTo } from '../support/focus.ts';
import { explorerOf, field, Pages } from '../support/session-page.ts';

let application: McpApplication;
const pages = new Pages();
let page: Page;
let url: string;

beforeAll(async () => {
  application = await McpApplication.create(JobsModule, {
    name: 'jobs',
    version: '1.0.0',
    tasks: { pollInterval: 100 },
  });
  url = explorerOf(await application.listen({ port: 0, explorer: true, signals: false }));
});

afterAll(async () => {
  await application.close();
});

beforeEach(async () => {
  page = await pages.page(url);
  await page.getByTestId('overview').waitFor();
});

afterEach(async () => {
  await page.context().close();
  expect(pages.complaints.splice(0)).toEqual([]);
});

const result = (state: string) => page.locator(`[data-testid="result"][data-state="${state}"]`);
/** The span of the last task. */
const span = () => page.locator('[data-testid="span"][data-kind="task"]').last();
const open = (gate: string): void => {
  application.get(Gates).open(gate);
};

async function openJob(tool: string): Promise<void> {
  await goTo(page, `tool/jobs_${tool}/${tool}`);
  await page.getByRole('heading', { name: `jobs_${tool}` }).waitFor();
}

async function callAsTask(tool: string, label?: string): Promise<void> {
  await openJob(tool);
  if (label !== undefined) await field(page, 'label').fill(label);
  const box = page.getByTestId('as-task');
  if (await box.isEnabled()) await box.check();
  await page.getByTestId('call').click();
}

describe.each(['2025', '2026'])('a task, era %s', (era) => {
  beforeEach(() => page.getByTestId('era').selectOption(era));

  test('is asked for until it has a result, and stays in the timeline with its status', async () => {
    await callAsTask('slow', `wait ${era}`);
    await page.getByTestId('task').filter({ hasText: 'working' }).waitFor();
    await span().filter({ hasText: 'working' }).waitFor();
    open(`wait ${era}`);
    await result('done').waitFor();
    await expect(page.getByTestId('content').innerText()).resolves.toBe(`done wait ${era}`);
    await expect(page.getByTestId('task').innerText()).resolves.toBe('task: completed');
    await expect(span().innerText()).resolves.toContain('completed');
    await page.getByTestId('result-raw').click();
    const raw = await page.getByTestId('json-text').first().innerText();
    expect(raw).toContain('tasks/get');
    expect(raw.includes('tasks/result')).toBe(era === '2025');
  });

  test('that has to be one is one', async () => {
    await callAsTask('heavy', 'x');
    await result('done').waitFor();
    await expect(page.getByTestId('content').innerText()).resolves.toBe('lifted x');
  });

  test('is none where a person does not want one', async () => {
    await openJob('slow');
    await field(page, 'label').fill(`plain ${era}`);
    open(`plain ${era}`);
    await page.getByTestId('call').click();
    await result('done').waitFor();
    await expect(page.getByTestId('task').count()).resolves.toBe(0);
  });

  test('asks its questions, one dialog after the other', async () => {
    await callAsTask('both');
    const dialog = page.getByTestId('question');
    await dialog.filter({ hasText: 'Who?' }).waitFor();
    await dialog.getByTestId('input').first().fill('Ada');
    await dialog.getByTestId('accept').click();
    await dialog.filter({ hasText: 'Sure?' }).waitFor();
    await dialog.getByTestId('decline').click();
    await result('done').waitFor();
    await expect(page.getByTestId('content').innerText()).resolves.toBe('[{"name":"Ada"},"decline"]');
    await expect(page.getByTestId('task').innerText()).resolves.toBe('task: completed');
  });

  test('is cancelled at the server', async () => {
    await callAsTask('slow', `cancelled ${era}`);
    await page.getByTestId('task').filter({ hasText: 'working' }).waitFor();
    await page.getByTestId('cancel').click();
    await result('cancelled').waitFor();
    await span().filter({ hasText: 'cancelled' }).waitFor();
    await span().getByRole('link').click();
    await page.getByTestId('messages').filter({ hasText: 'tasks/cancel' }).waitFor();
    const { aborted } = application.get(JobsController);
    const own = (): readonly string[] => aborted.filter((each) => each.startsWith(`cancelled ${era}: `));
    // The page shows what it sent, and the server gets it later
    await eventually(() => own().length > 0);
    expect(own()).toHaveLength(1);
  });

  test('is begun and cancelled without a mouse', async () => {
    await openJob('slow');
    await tabTo(page, 'input');
    await page.keyboard.type(`keyboard ${era}`);
    await tabTo(page, 'as-task');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('task').filter({ hasText: 'working' }).waitFor();
    await tabTo(page, 'cancel');
    await page.keyboard.press('Enter');
    await result('cancelled').waitFor();
    await span().filter({ hasText: 'cancelled' }).waitFor();
  });

  test('that fails says how', async () => {
    await callAsTask('broken');
    await result('failed').waitFor();
    await expect(page.getByTestId('result').innerText()).resolves.toContain('The line is cut');
    await expect(span().innerText()).resolves.toContain('failed');
  });
});

/** Its first request opens the client and, beside it, the stream: what a task reports before that is lost. */
async function openStream(): Promise<void> {
  const stream = page.waitForResponse(
    (response) => response.request().method() === 'GET' && new URL(response.url()).pathname === PATHS.mcp,
  );
  await callAsTask('slow', 'opens the stream');
  await stream;
  open('opens the stream');
  await result('done').waitFor();
}

test('shows the progress of a task where the protocol has one', async () => {
  await page.getByTestId('era').selectOption('2025');
  await openStream();
  await callAsTask('steps', 'far');
  await page.getByTestId('progress').filter({ hasText: '1 of 2' }).waitFor();
  open('far 1');
  await page.getByTestId('progress').filter({ hasText: '2 of 2' }).waitFor();
  open('far 2');
  await result('done').waitFor();
  await expect(page.getByTestId('content').innerText()).resolves.toBe('arrived');
});

test('keeps the messages of two calls apart that run at the same time', async () => {
  await callAsTask('slow', 'first');
  await page.getByTestId('task').filter({ hasText: 'working' }).waitFor();
  await callAsTask('steps', 'second');
  await page.getByTestId('task').filter({ hasText: 'working' }).waitFor();
  open('first');
  open('second 1');
  open('second 2');
  await result('done').waitFor();
  await span().getByRole('link').click();
  const messages = page.getByTestId('messages');
  await messages.filter({ hasText: 'arrived' }).waitFor();
  await expect(messages.innerText()).resolves.not.toContain('first');
});
