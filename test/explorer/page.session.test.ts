import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { McpApplication } from 'toolwright';
import { casesFromLog } from '../../src/cli/evals/draft-cases.ts';
import { ROOT } from '../pins/docs/example.ts';
import { connected, goTo, openSpan, toNextSpan } from '../support/explored-page.ts';
import { explorerOf, Pages } from '../support/session-page.ts';
import {
  another,
  call,
  copied,
  inspect,
  PIN,
  REGISTERED,
  runs,
  saved,
  span,
  VaultsModule,
} from '../support/vaults-page.ts';

let application: McpApplication;
const pages = new Pages();
let page: Page;
let endpoint: string;
let explorer: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-session-'));
  application = await McpApplication.create(VaultsModule, {
    name: 'vaults',
    version: '2.1.0',
    redact: { secrets: [REGISTERED] },
  });
  const serving = await application.listen({ port: 0, explorer: true, signals: false });
  endpoint = serving.url;
  explorer = explorerOf(serving);
});

afterAll(async () => {
  await application.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  runs.length = 0;
  page = await pages.page(explorer);
  await page.getByTestId('overview').waitFor();
  await connected(page);
});

afterEach(async () => {
  await page.context().close();
  expect(pages.complaints.splice(0)).toEqual([]);
});

describe('a saved session', () => {
  test('is opened without a server, from the file of the page', async () => {
    await call(page, 'say', { word: '<b onclick="x">bold</b>' });
    await call(page, 'open', { owner: 'Ada', pin: PIN });
    await another(endpoint, '2026', (client) =>
      client.callTool('vaults', { action: 'open', owner: 7, pin: PIN }),
    );
    await inspect(page, 'vaults.open', 'other');
    const path = await saved(page, folder);
    const drafted = casesFromLog(readFileSync(path, 'utf8'), application);
    expect(drafted).toMatchObject([{ expect: [{ action: 'vaults.open', input: { owner: 7 } }] }]);
    expect(JSON.stringify(drafted)).not.toContain(PIN);
    const disk = await pages.page(pathToFileURL(join(ROOT, 'dist/explorer/page.html')).href);
    await disk.getByTestId('session-file').setInputFiles(path);
    await disk.getByTestId('opened-session').filter({ hasText: 'vaults 2.1.0' }).waitFor();
    await openSpan(disk, disk.getByTestId('span').filter({ hasText: 'vaults.say' }));
    await expect(disk.getByTestId('messages').innerText()).resolves.toContain(
      'said <b onclick=\\"x\\">bold</b>',
    );
    await expect(disk.locator('b').count()).resolves.toBe(0);
    await openSpan(disk, disk.getByTestId('span').filter({ hasText: 'vaults.open' }).first());
    const messages = await disk.getByTestId('messages').innerText();
    expect(messages).toContain('Ada used [redacted]');
    expect(messages).not.toContain(PIN);
    await expect(disk.getByTestId('replay').count()).resolves.toBe(0);
    await disk.context().close();
  });

  test('stands in the place of what happens, until it is closed', async () => {
    await call(page, 'say', { word: 'before' });
    const path = await saved(page, folder);
    await page.getByTestId('session-file').setInputFiles(path);
    await page.locator('[data-testid="traffic"][data-state="opened"]').waitFor();
    await page.getByTestId('close-session').click();
    await page.locator('[data-testid="traffic"][data-state="live"]').waitFor();
    await span(page, 'vaults.say').waitFor();
  });

  test.each(['<script>document.title = 1</script>', '{"format":"toolwright-session","version":1}'])(
    'that is none is refused: %s',
    async (text) => {
      const path = join(folder, 'hostile.jsonl');
      writeFileSync(path, text);
      await goTo(page, 'traffic');
      await page.getByTestId('session-file').setInputFiles(path);
      await page.getByTestId('failure').filter({ hasText: 'Line 1 of the file cannot be read' }).waitFor();
      await expect(page.title()).resolves.toBe('traffic · vaults · Toolwright explorer');
      await expect(page.getByTestId('opened-session').count()).resolves.toBe(0);
    },
  );
});

describe('a message', () => {
  test.each(['2025', '2026'])('is replayed, era %s', async (era) => {
    await page.getByTestId('era').selectOption(era);
    await call(page, 'say', { word: 'twice' });
    await inspect(page, 'vaults.say');
    await toNextSpan(page, () => page.getByTestId('replay').click());
    await page.getByTestId('messages').filter({ hasText: 'said twice' }).waitFor();
    expect(runs).toEqual(['twice', 'twice']);
  });

  test('that destroys is asked for first', async () => {
    await call(page, 'destroy', { word: 'all' });
    await inspect(page, 'vaults.destroy');
    await page.getByTestId('replay').click();
    await page.getByTestId('keep').click();
    await page.getByTestId('replay').click();
    expect(runs).toEqual(['destroyed all']);
    await toNextSpan(page, () => page.getByTestId('replay-anyway').click());
    await page.getByTestId('messages').filter({ hasText: 'gone' }).waitFor();
    expect(runs).toEqual(['destroyed all', 'destroyed all']);
  });

  test('of another client is replayed', async () => {
    await another(endpoint, '2026', (client) => client.callTool('vaults', { action: 'say', word: 'theirs' }));
    await inspect(page, 'vaults.say', 'other');
    await toNextSpan(page, () => page.getByTestId('replay').click());
    await page.getByTestId('messages').filter({ hasText: 'said theirs' }).waitFor();
    expect(runs).toEqual(['theirs', 'theirs']);
  });

  test('with masked values is not', async () => {
    await call(page, 'open', { owner: 'Ada', pin: PIN });
    await inspect(page, 'vaults.open');
    await page.getByTestId('no-replay').waitFor();
    await expect(page.getByTestId('replay').count()).resolves.toBe(0);
  });
});

/** Runs a line as it was copied; `toolwright` is the command line of the build. */
async function shell(line: string): Promise<string> {
  const script = `toolwright() { "${process.execPath}" "${ROOT}dist/cli/main.js" "$@"; }\n${line}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return stdout;
}

const WORD = `it's "$HOME" & <b>`;

describe.each(['2025', '2026'])('a call, era %s', (era) => {
  beforeEach(async () => {
    await page.getByTestId('era').selectOption(era);
    await call(page, 'say', { word: WORD });
    runs.length = 0;
  });

  test('runs as the command that was copied', async () => {
    await expect(shell(await copied(page, 'command'))).resolves.toContain(`said ${WORD}`);
    expect(runs).toEqual([WORD]);
  });

  test('runs as the curl line that was copied, also from the traffic', async () => {
    await inspect(page, 'vaults.say');
    const answer = await shell(await copied(page, 'curl'));
    const [, text = answer] = /^data: (.*)$/m.exec(answer) ?? [];
    expect(JSON.parse(text)).toMatchObject({ result: { content: [{ text: `said ${WORD}` }] } });
  });

  test('runs as the test that was copied', async () => {
    const tests: (() => Promise<void>)[] = [];
    const take = (_name: string, run: () => Promise<void>): void => void tests.push(run);
    // oxlint-disable-next-line typescript/no-implied-eval -- that it runs is what is tested
    const run = new Function('test', 'expect', 'app', await copied(page, 'test')) as (
      ...given: unknown[]
    ) => void;
    run(take, expect, application);
    await tests[0]?.();
    expect(runs).toEqual([WORD]);
  });
});
