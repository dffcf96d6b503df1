import { expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { readText } from './docs/example.ts';
import { ShopModule } from './reference-app.ts';

const REQUEST = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
};

/** What stands on the wire between the brackets of `tools`. */
async function listedTools(): Promise<string> {
  const app = await McpApplication.create(ShopModule);
  const response = await (await app.fetch(new Request('http://localhost/mcp', REQUEST))).text();
  await app.close();
  const [, tools] = /"tools":(\[.*\])\}/.exec(response) ?? [];
  return tools ?? response;
}

test('clients get the same bytes for the reference application each time', async () => {
  const tools = await listedTools();
  const fixture: unknown = JSON.parse(readText('test/pins/tools-list.json'));
  // First what is readable when it fails, then the order of every member
  expect(JSON.parse(tools)).toEqual(fixture);
  expect(tools).toBe(JSON.stringify(fixture));
});

test('a second start gives the same bytes', async () => {
  expect(await listedTools()).toBe(await listedTools());
});
