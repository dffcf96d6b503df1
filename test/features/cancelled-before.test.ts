import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { IsString } from 'class-validator';
import { Action, Destructive, McpApplication, Module, ToolGroup } from 'toolwright';
import { textOf } from '../support/text-of.ts';

const ran: string[] = [];

class Target {
  @IsString() id!: string;
}

@ToolGroup('things')
class ThingTools {
  @Action() @Destructive() wipe({ id }: Target): string {
    ran.push(id);
    return 'gone';
  }
}

@Module({ controllers: [ThingTools] })
class ThingsModule {}

let app: McpApplication;
beforeEach(async () => {
  ran.length = 0;
  app = await McpApplication.create(ThingsModule);
});
afterEach(() => app.close());

test('a call whose signal is aborted already runs nothing', async () => {
  const result = await app.call('things', { action: 'wipe', id: 'a' }, { signal: AbortSignal.abort() });
  expect(textOf(result)).toMatch(/^\[things\] The call was cancelled\nCode: CANCELLED/);
  expect(result.isError).toBe(true);
  expect(ran).toEqual([]);
  expect(textOf(await app.call('things', { action: 'wipe', id: 'b' }))).toBe('gone');
});

test('a request whose sender is gone runs nothing', async () => {
  const params = { name: 'things', arguments: { action: 'wipe', id: 'c' } };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: AbortSignal.abort(),
  });
  await app.fetch(request).catch(() => undefined);
  await app.close();
  expect(ran).toEqual([]);
});
