import { IsString } from 'class-validator';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  Action,
  Destructive,
  Module,
  ReadOnly,
  Resource,
  Sensitive,
  ToolContext,
  ToolGroup,
} from 'toolwright';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { McpClient } from '../../src/client/mcp-client.ts';
import { goTo, openSpan } from './explored-page.ts';
import { field } from './session-page.ts';

export const PIN = 'pin-of-the-vault-4711';
export const KEY = 'key-that-was-made-0815';
export const REGISTERED = 'registered-billing-key';
export const BEARER = 'bearer-of-another-client';
export const SECRETS = [PIN, KEY, REGISTERED, BEARER];

class Vault {
  @IsString() owner!: string;
  @IsString() @Sensitive() pin!: string;
}

class Opened {
  @IsString() text!: string;
  @IsString() @Sensitive() key!: string;
}

class Word {
  @IsString() word!: string;
}

/** What ran, in its order. */
export const runs: string[] = [];

@ToolGroup({ name: 'vaults', description: 'The vaults' })
class Vaults {
  @Action({ description: 'Open a vault', output: Opened })
  open(input: Vault, ctx: ToolContext): Opened {
    const opened = new Opened();
    opened.text = `${input.owner} used ${input.pin}, ${REGISTERED} and ${ctx.header('authorization') ?? 'none'}`;
    opened.key = KEY;
    return opened;
  }

  @Action('Say a word') @ReadOnly() say({ word }: Word): string {
    runs.push(word);
    return `said ${word}`;
  }

  @Action('Blow it up') @Destructive() destroy({ word }: Word): string {
    runs.push(`destroyed ${word}`);
    return 'gone';
  }

  @Resource('vaults://all') all(): string {
    return 'all of them';
  }
}

@Module({ controllers: [Vaults] })
export class VaultsModule {}

/** The last span of the traffic with this subject. */
export const span = (page: Page, subject: string, kind = 'request') =>
  page
    .getByTestId('traffic')
    .locator(`[data-testid="span"][data-kind="${kind}"]`)
    .filter({ hasText: subject })
    .last();

async function fill(page: Page, action: string, values: Readonly<Record<string, string>>): Promise<void> {
  await goTo(page, `tool/vaults/${action}`);
  await page.getByRole('heading', { name: `vaults.${action}` }).waitFor();
  for (const [path, value] of Object.entries(values)) await field(page, path).fill(value);
}

export async function call(
  page: Page,
  action: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await fill(page, action, values);
  await page.getByTestId('call').click();
  await page.locator('[data-testid="result"][data-state="done"]').waitFor();
}

/** The messages of a span, as text. */
export async function inspect(page: Page, subject: string, kind = 'request'): Promise<string> {
  await goTo(page, 'traffic');
  await openSpan(page, span(page, subject, kind));
  return page.getByTestId('messages').innerText();
}

/** A client that is not the page. */
export async function another(
  endpoint: string,
  era: '2025' | '2026',
  run: (client: McpClient) => Promise<unknown>,
): Promise<void> {
  const transport = new HttpTransport(endpoint, { headers: { authorization: `Bearer ${BEARER}` } });
  const client = await McpClient.connect(transport, { era, name: 'another-host' });
  await run(client);
  await client.close();
}

/** Saves the session of a page into a folder. */
export async function saved(page: Page, folder: string): Promise<string> {
  await goTo(page, 'traffic');
  const download = page.waitForEvent('download');
  await page.getByTestId('save-session').click();
  const path = join(folder, `${String(Math.random()).slice(2)}.jsonl`);
  await (await download).saveAs(path);
  return path;
}

/**
 * Sees what the page writes to the clipboard next: all suites share a browser, and its pages a clipboard.
 *
 * It ends with no value, because `page.evaluate()` waits for a promise.
 */
const WATCH_CLIPBOARD = `{
  const { clipboard } = navigator;
  globalThis.written = new Promise((resolve, reject) => {
    clipboard.writeText = (text) => {
      delete clipboard.writeText;
      const writing = clipboard.writeText(text);
      writing.then(() => resolve(text), reject);
      return writing;
    };
  });
}
undefined;`;

/** What a button copies. */
export async function copied(page: Page, name: string): Promise<string> {
  await page.evaluate(WATCH_CLIPBOARD);
  await page.getByRole('button', { name, exact: true }).click();
  return page.evaluate<string>('globalThis.written');
}
