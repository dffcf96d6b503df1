import { afterEach, expect, test } from '@jest/globals';
import { Action, Ctx, McpApplication, Module, ToolContext, ToolGroup } from 'toolwright';
import {
  connectFetch,
  connectHttp,
  connectInMemory,
  client2025,
  client2026,
} from '../support/client-of-2026.ts';
import { textOf } from '../support/text-of.ts';

// As the guide on revisions has it
@ToolGroup('diagnostics')
class DiagnosticTools {
  @Action()
  revision(@Ctx() ctx: ToolContext): string {
    return ctx.header('mcp-protocol-version') ?? 'not served over HTTP, or older than 2025-06-18';
  }

  @Action()
  said(@Ctx() { meta }: ToolContext): object {
    return meta;
  }
}
@Module({ controllers: [DiagnosticTools] })
class DiagnosticModule {}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Connect = (app: McpApplication, client: ReturnType<typeof client2026>) => Promise<unknown>;
const entries: Readonly<Record<string, Connect>> = {
  listen: async (app, client) => connectHttp(client, (await app.listen({ port: 0, signals: false })).url),
  fetch: (app, client) => connectFetch(client, app.fetch),
  connect: (app, client) => connectInMemory(client, (transport) => app.connect(transport)),
};

test.each([
  ['listen', client2026, '2026-07-28'],
  ['fetch', client2026, '2026-07-28'],
  ['listen', client2025, '2025-11-25'],
  ['fetch', client2025, '2025-11-25'],
] as const)('over %s, %p declares its revision in each call: %s', async (entry, make, revision) => {
  const app = await McpApplication.create(DiagnosticModule);
  closing.push(() => app.close());
  const client = make();
  closing.push(() => client.close());
  await entries[entry]?.(app, client);
  const answer = await client.callTool({ name: 'diagnostics', arguments: { action: 'revision' } });
  expect(answer.content).toMatchObject([{ text: revision }]);
});

test.each(
  Object.keys(entries).flatMap((entry) => [[entry, client2026] as const, [entry, client2025] as const]),
)(
  'by %s, the meta of a call is what its client added, without what names client and revision: %p',
  async (entry, make) => {
    const app = await McpApplication.create(DiagnosticModule);
    closing.push(() => app.close());
    const client = make();
    closing.push(() => client.close());
    await entries[entry]?.(app, client);
    const answer = await client.callTool({
      name: 'diagnostics',
      arguments: { action: 'said' },
      _meta: { 'example.com/trace': 'a1' },
    });
    expect(JSON.parse(textOf(answer))).toEqual({ 'example.com/trace': 'a1' });
  },
);

test('a mounted application leaves the signals of the process alone', async () => {
  const before = process.listenerCount('SIGTERM');
  const app = await McpApplication.create(DiagnosticModule);
  closing.push(() => app.close());
  await app.fetch(new Request('http://127.0.0.1/mcp', { method: 'DELETE' }));
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
