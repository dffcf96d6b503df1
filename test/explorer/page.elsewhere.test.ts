import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { McpApplication } from 'toolwright';
import { place, TasksModule, TaskStore, TOKEN } from '../support/explored-app.ts';
import { openBrowser } from '../support/explorer-tab.ts';

/** What pages of other origins can do in a browser, with the token even. */

let application: McpApplication;
let origin: string;
let token: string;
let elsewhere: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  application = await McpApplication.create(TasksModule, { name: 'task-board' });
  [origin, token] = place(await application.listen({ port: 0, explorer: true, signals: false }));
  elsewhere = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>');
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const names = '--host-resolver-rules=MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1';
  browser = await openBrowser(names);
  page = await browser.newPage();
  await page.goto(`http://evil.example:${String((elsewhere.address() as AddressInfo).port)}/`);
});

afterAll(async () => {
  await browser.close();
  elsewhere.close();
  await application.close();
});

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'tasks', arguments: { action: 'create', title: 'theirs', pin: 'x' } },
});

test.each([
  ['JSON with the token', { headers: { 'content-type': 'application/json' }, withToken: true }],
  ['text that is sent without asking', { mode: 'no-cors' }],
  ['JSON as text with credentials', { mode: 'no-cors', credentials: 'include' }],
] as const)('%s is not sent, or not served', async (_, { withToken = false, ...init }: Attempt) => {
  const headers = { ...init.headers, ...(withToken ? { [TOKEN]: token } : {}) };
  const options = { ...init, method: 'POST', headers, body: CALL };
  const attempt = `fetch('${origin}/explorer/mcp', ${JSON.stringify(options)}).then(() => 'read', () => 'stopped')`;
  expect(await page.evaluate(attempt)).toBe('stopped');
  expect(application.get(TaskStore).titles).toEqual([]);
});

interface Attempt extends RequestInit {
  readonly withToken?: boolean;
  readonly headers?: Record<string, string>;
}

test('a form is refused', async () => {
  const tab = await browser.newPage();
  await tab.goto(page.url());
  const answered = tab.waitForResponse((response) => response.url().endsWith('/explorer/mcp'));
  await tab.evaluate(`(() => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', enctype: 'text/plain', action: '${origin}/explorer/mcp' });
    const input = Object.assign(document.createElement('input'), { name: ${JSON.stringify(CALL.slice(0, -1))}, value: '}' });
    form.append(input);
    document.body.append(form);
    form.submit();
  })()`);
  expect((await answered).status()).toBe(403);
  expect(application.get(TaskStore).titles).toEqual([]);
});

test('the page cannot be framed, and who opens it does not reach it', async () => {
  const stopped = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${origin}/explorer' }))`,
  );
  await stopped;
  const opened = page.context().waitForEvent('page');
  await page.evaluate(`globalThis.opened = open('${origin}/explorer#token=${token}')`);
  await (await opened).waitForLoadState();
  // For who opened it, it is closed; its process is notified of that a moment later
  await page.waitForFunction('opened.closed');
});

test('a name that leads to this machine by now is refused', async () => {
  const tab = await browser.newPage();
  const { port } = new URL(origin);
  expect((await tab.goto(`http://rebound.example:${port}/explorer`))?.status()).toBe(403);
  const attempt = `fetch('/explorer/api/lock', { headers: { '${TOKEN}': '${token}' } }).then(({ status }) => status)`;
  expect(await tab.evaluate(attempt)).toBe(403);
});
