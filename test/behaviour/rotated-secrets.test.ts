import { afterEach, describe, expect, test } from '@jest/globals';
import { IsInt } from 'class-validator';
import {
  Action,
  Destructive,
  McpApplication,
  Module,
  ToolContext,
  ToolGroup,
  ToolRegistry,
  type CallToolResult,
  type LogRecord,
} from 'toolwright';
import { client2025, client2026, connectHttp } from '../support/client-of-2026.ts';
import { JSON_HEADERS, initialize, message } from '../support/raw-http.ts';
import { SharedMemory } from '../support/shared-memory.ts';
import { errorFacts } from '../support/payments.ts';

const [OLD, NEW] = ['the old secret of this server, long', 'the new secret of this server, long'] as const;

class Sure {
  @IsInt() count!: number;
}

@ToolGroup('desk')
class DeskTools {
  @Action('Asks') async ask(ctx: ToolContext): Promise<string> {
    const answer = await ctx.ask(Sure, 'How many?');
    return answer.action === 'accept' ? `accept ${String(answer.content.count)}` : answer.action;
  }
  @Action('Deletes') @Destructive({ confirm: 'twice' }) delete(): string {
    return 'deleted';
  }
  @Action('Reveals') reveal(): string {
    throw new Error(`the secret is ${NEW}`);
  }
}

@Module({ controllers: [DeskTools] })
class DeskModule {}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** An instance with secrets of its own, which change when its `keys` do. */
async function started(backplane: SharedMemory, ...first: string[]) {
  const records: LogRecord[] = [];
  const instance = { keys: first as unknown, records };
  const application = await McpApplication.create(DeskModule, {
    name: 'desk',
    backplane,
    secrets: () => instance.keys as string[],
    logger: (record) => records.push(record),
    maskErrors: false,
  });
  open.push(application);
  const { url } = await application.listen({ port: 0 });
  return Object.assign(instance, { url, application });
}

async function clientOf(url: string, make = client2026, onAsk: () => void = () => undefined) {
  const client = make({ capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', () => {
    onAsk();
    return { action: 'accept', content: { count: 2 } };
  });
  await connectHttp(client, url);
  open.unshift(client);
  return async (args: object) =>
    (await client.callTool({ name: 'desk', arguments: { ...args } })) as CallToolResult;
}

const textOf = ({ content }: CallToolResult) => content.map((block) => ('text' in block ? block.text : ''));
const confirmationIn = (result: CallToolResult) =>
  (errorFacts(result)?.['details'] as { readonly confirmation?: string } | undefined)?.confirmation;

describe('secrets that change without a restart', () => {
  test.each([
    ['2025-11-25', client2025],
    ['2026-07-28', client2026],
  ])('a question of before is answered after, by a client of %s', async (_, make) => {
    const instance = await started(new SharedMemory(), OLD);
    const call = await clientOf(instance.url, make, () => (instance.keys = [NEW, OLD]));
    expect(textOf(await call({ action: 'ask' }))).toEqual(['accept 2']);
  });

  test.each([
    ['2025-11-25', client2025],
    ['2026-07-28', client2026],
  ])('a confirmation of %s counts as long as its secret does', async (_, make) => {
    const instance = await started(new SharedMemory(), OLD);
    const call = await clientOf(instance.url, make);
    const [first, second] = [await call({ action: 'delete' }), await call({ action: 'delete' })];
    instance.keys = [NEW, OLD];
    const third = await call({ action: 'delete' });
    expect(textOf(await call({ action: 'delete', confirmation: confirmationIn(first) }))).toEqual([
      'deleted',
    ]);
    instance.keys = [NEW];
    expect((await call({ action: 'delete', confirmation: confirmationIn(second) })).isError).toBe(true);
    expect(textOf(await call({ action: 'delete', confirmation: confirmationIn(third) }))).toEqual([
      'deleted',
    ]);
  });

  test('instances take them over one after the other, and no client notices', async () => {
    const backplane = new SharedMemory();
    const [one, two] = [await started(backplane, OLD), await started(backplane, OLD)];
    const session = await initialize(one.url);
    const headers = { ...JSON_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const calls = [await clientOf(one.url), await clientOf(two.url)] as const;
    const rotate = [
      () => (one.keys = [OLD, NEW]),
      () => (two.keys = [OLD, NEW]),
      () => (one.keys = [NEW, OLD]),
      () => (two.keys = [NEW, OLD]),
    ];
    for (const step of rotate) {
      const confirmations = [await calls[0]({ action: 'delete' }), await calls[1]({ action: 'delete' })];
      step();
      // What one of them sealed, the other one opens
      for (const [index, preview] of confirmations.entries()) {
        const other = calls[index === 0 ? 1 : 0];
        const confirmation = confirmationIn(preview);
        expect(textOf(await other({ action: 'delete', confirmation }))).toEqual(['deleted']);
      }
      for (const { url } of [one, two]) {
        const ping = { method: 'POST', headers, body: message('ping', {}, 1) };
        expect((await fetch(url, ping)).status).toBe(200);
      }
    }
  });

  test('anything but a list of secrets leaves those before in place, and is logged once', async () => {
    const instance = await started(new SharedMemory(), OLD);
    const call = await clientOf(instance.url);
    for (const wrong of [[], ['short'], undefined, [42]]) {
      instance.keys = wrong;
      const confirmation = confirmationIn(await call({ action: 'delete' }));
      expect(textOf(await call({ action: 'delete', confirmation }))).toEqual(['deleted']);
    }
    const refused = instance.records.filter(({ event }) => event === 'secrets.refused');
    expect(refused).toMatchObject([{ level: 'error' }]);
  });

  test('a new one is hidden like those of the start', async () => {
    const instance = await started(new SharedMemory(), OLD);
    instance.keys = [NEW];
    const call = await clientOf(instance.url);
    await call({ action: 'delete' });
    expect(textOf(await call({ action: 'reveal' }))).toEqual([
      expect.stringContaining('the secret is [redacted]'),
    ]);
  });

  test.each([[[]], [['short']], [undefined]])('a start without any is refused: %p', async (given) => {
    const options = { secrets: () => given as never, cache: { ttl: -1 } };
    const failure: unknown = await McpApplication.create(DeskModule, options).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'TW_APPLICATION_INVALID' });
    expect(String(failure)).toContain('is a function that gave no secrets');
    // Together with what else is wrong
    expect(String(failure)).toContain('cache.ttl');
    expect(() => new ToolRegistry({ secrets: () => given as never })).toThrow('gave no secrets');
  });
});
