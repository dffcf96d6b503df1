import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { Action, Destructive, McpApplication, Module, Roles, ToolGroup } from 'toolwright';
import { View } from 'toolwright/apps';
import { Board, BoardController, BoardModule, TaskId } from '../../examples/board-view/board.module.ts';
import { testVerifier, tokenOf } from '../support/callers.ts';
import { useBrowser } from '../support/explorer-tab.ts';

/** What the host in the page gives. */
interface ViewHost {
  readonly seen: readonly string[];
  dress(theme: 'light' | 'dark'): void;
  close(): Promise<void>;
}

const chromium = useBrowser();
let script: string;
let app: McpApplication;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  const entry = fileURLToPath(new URL('view-host.mjs', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: 'iife' });
  script = outputFiles[0]?.text ?? '';
});
afterEach(async () => {
  await context.close();
  await app.close();
  expect(complaints.splice(0)).toEqual([]);
});

interface Opening {
  readonly era: string;
  readonly token?: string;
}

/** A host at the origin of the server, with the board in a frame. */
async function openBoard(
  module: Parameters<typeof McpApplication.create>[0],
  opening: Opening,
  options = {},
) {
  app = await McpApplication.create(module, { surface: 'auto', ...options });
  const { url } = await app.listen({ port: 0, signals: false });
  context = await chromium.browser.newContext({ viewport: { width: 900, height: 600 } });
  page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  const address = new URL('/host', url).href;
  const body = `<!doctype html><title>Host</title><body><script>${script}</script>`;
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.evaluate(
    async (given) => {
      const host = globalThis as unknown as {
        openView: (options: object) => Promise<ViewHost>;
        view: ViewHost;
      };
      host.view = await host.openView(given);
    },
    { ...opening, tool: 'board_show' },
  );
  return page.frameLocator('iframe');
}

const tasks = (board: FrameLocator, column: string) =>
  board.getByRole('region', { name: column }).locator('li');

const ask = <Answer>(does: (view: ViewHost) => Answer): Promise<Answer> =>
  page.evaluate<Answer>(`(${String(does)})(globalThis.view)`);

describe.each(['2025-11-25', '2026-07-28'])('a host of %s', (era) => {
  test('shows the board, whose buttons call actions, and closes it', async () => {
    const board = await openBoard(BoardModule, { era });
    await tasks(board, 'Open').getByText('Write the invitation').waitFor();
    await board.getByRole('button', { name: 'Move "Write the invitation" to Done' }).click();
    await board.getByText('"Write the invitation" is done.').waitFor();
    expect(await tasks(board, 'Done').count()).toBe(1);

    // With the keyboard alone
    await board.getByRole('textbox', { name: 'What to do' }).focus();
    await page.keyboard.type('<b>Buy</b> bread');
    await page.keyboard.press('Enter');
    await tasks(board, 'Open').getByText('<b>Buy</b> bread').waitFor();
    await board.getByRole('button', { name: 'Remove "Book a room"' }).press('Enter');
    await board.getByText('"Book a room" is removed.').waitFor();
    expect(await tasks(board, 'Doing').count()).toBe(0);

    await ask((view) => view.dress('dark'));
    await board.locator('html[style*="dark"]').waitFor({ state: 'attached' });
    await ask((view) => view.close());
    expect(await ask((view) => view.seen)).toEqual(
      expect.arrayContaining(['size', 'initialized', 'torn down']),
    );
  });
});

/** Its owner alone may remove tasks. */
@ToolGroup({ name: 'board' })
class GuardedBoard extends BoardController {
  @Action({ description: 'Remove a task', output: Board })
  @Destructive()
  @View({ visibility: ['app'] })
  @Roles('owner')
  override remove(input: TaskId): Board {
    return super.remove(input);
  }
}
@Module({ controllers: [GuardedBoard] })
class GuardedModule {}

test.each([
  ['owner', '"Book a room" is removed.', 0],
  ['guest', /board_remove/, 1],
] as const)('what %s may do, the board may do for them', async (role, said, left) => {
  const token = tokenOf({ sub: role, roles: [role] });
  const opening = { era: '2026-07-28', token };
  const board = await openBoard(GuardedModule, opening, { auth: { verify: testVerifier } });
  await board.getByRole('button', { name: 'Remove "Book a room"' }).click();
  await board.getByRole('status').getByText(said).waitFor();
  expect(await tasks(board, 'Doing').count()).toBe(left);
});
