import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  Action,
  createTool,
  Destructive,
  InMemoryStore,
  McpApplication,
  Module,
  Sensitive,
  ToolGroup,
  type CallToolResult,
  type ConsentPerson,
  type ConsentRequest,
  type LocalCallOptions,
} from 'toolwright';
import { authInfoOf, createAppWithCallers, testVerifier, tokenOf } from '../support/callers.ts';
import { client2025, client2026, connectHttp, envelope, post2026 } from '../support/client-of-2026.ts';
import {
  createConnectedApplication,
  type ConnectedApplication,
} from '../support/connections/connected-application.ts';
import { CONNECTIONS } from '../support/connections/connection-kinds.ts';
import { MemoryLogger } from '../support/memory-logger.ts';
import { codeOf } from '../support/payments.ts';

class Item {
  @IsInt() id!: number;
  @IsOptional() @IsString() @Sensitive() password?: string;
}

const ran: string[] = [];

@ToolGroup('items')
class Items {
  @Action() @Destructive({ confirm: 'url' }) delete({ id }: Item): string {
    ran.push(`delete ${String(id)}`);
    return 'deleted';
  }
  @Action() @Destructive({ confirm: true }) asked({ id }: Item): string {
    ran.push(`asked ${String(id)}`);
    return 'done';
  }
}
@Module({ controllers: [Items] })
class ItemsModule {}

type Answer = Readonly<Record<string, unknown>>;
const ADA: ConsentPerson = { sub: 'ada', issuer: 'https://issuer.example' };
const ACCEPT = { action: 'accept' };
const HTTP = { authorization: `Bearer ${tokenOf({ sub: 'ada' })}` };

/** What the page was asked for, and what the person does on it. */
let asked: ConsentRequest[] = [];
let onPage: (request: ConsentRequest) => unknown = () => undefined;

const options = {
  auth: { verify: testVerifier, local: () => authInfoOf({ sub: 'ada' }) },
  consent: {
    url: (request: ConsentRequest) => {
      asked.push(request);
      return new URL(`https://desk.example/consents/${request.id}`);
    },
  },
  logger: new MemoryLogger(),
};

const acknowledgedBy = ({ _meta: meta }: CallToolResult): unknown => meta?.['toolwright/consent'];

/** The user opens the page, where something happens later. */
function openPage(question: Answer): Answer {
  const request = asked.at(-1) as ConsentRequest;
  expect(question).toMatchObject({ mode: 'url', url: `https://desk.example/consents/${request.id}` });
  expect(question['message']).toBe(request.text);
  setImmediate(() => void onPage(request));
  return ACCEPT;
}

beforeEach(() => {
  ran.length = 0;
  asked = [];
});
afterEach(() => {
  jest.restoreAllMocks();
});

const LOCAL = CONNECTIONS.filter(({ way, isAttached }) => !isAttached && way === 'stdio');

describe.each(LOCAL)('over $name', (kind) => {
  let app: ConnectedApplication;
  beforeAll(async () => {
    app = await createConnectedApplication(kind, ItemsModule, options);
    await app.connect({ onElicitation: openPage });
  });
  afterAll(() => app.close());
  const call = async (): Promise<CallToolResult> => {
    const args = { action: 'delete', id: 1, password: 'hunter2' };
    return (await (await app.client()).callTool({ name: 'items', arguments: args })) as CallToolResult;
  };

  test('the person who signs in on the page lets the call run', async () => {
    onPage = ({ id }) => app.app.consent.grant(id, ADA);
    const result = await call();
    expect(result.content).toEqual([{ type: 'text', text: 'deleted' }]);
    expect(acknowledgedBy(result)).toEqual({ acknowledged: 'url' });
    expect(ran).toEqual(['delete 1']);
    expect(asked).toMatchObject([{ tool: 'items', action: 'delete', person: ADA }]);
    expect(asked[0]?.text).toBe(
      'Allow "delete" of "items"? You may not be able to undo it.\nid: 1\npassword: [redacted]',
    );
  });

  test('the person who refuses on the page ends it', async () => {
    onPage = ({ id }) => app.app.consent.deny(id, ADA);
    expect(codeOf(await call())).toBe('CONSENT_DECLINED');
    expect(ran).toEqual([]);
  });

  test('a client that cannot show pages gets nothing done', async () => {
    const client = await app.connect();
    const result = await client.callTool({ name: 'items', arguments: { action: 'delete', id: 1 } });
    expect(codeOf(result as CallToolResult)).toBe('CONSENT_UNAVAILABLE');
    expect([ran, asked]).toEqual([[], []]);
  });
});

describe.each([
  ['2025-11-25', client2025],
  ['2026-07-28', client2026],
])('a client of %s over HTTP', (_revision, connected) => {
  let app: McpApplication;
  const clients: Client[] = [];
  beforeAll(async () => {
    app = await McpApplication.create(ItemsModule, options);
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await app.close();
  });
  async function connect(elicitation: { url: Record<string, never> }): Promise<Client> {
    const { url } = await app.listen({ port: 0, signals: false });
    const client = connected({ capabilities: { elicitation } });
    client.setRequestHandler('elicitation/create', async ({ params }) => openPage(params as Answer) as never);
    clients.push(client);
    return connectHttp(client, url, HTTP);
  }

  test('runs what the person agreed to who its token is of', async () => {
    const client = await connect({ url: {} });
    onPage = async ({ id }) => {
      expect(await app.consent.grant(id, { ...ADA, sub: 'bob' })).toBe(false);
      expect(await app.consent.grant(id, { ...ADA, issuer: 'https://other.example' })).toBe(false);
      expect(await app.consent.grant(id, { ...ADA, tenant: 'acme' })).toBe(false);
      expect(await app.consent.find(id, { ...ADA, sub: 'bob' })).toBeUndefined();
      expect(ran).toEqual([]);
      expect(await app.consent.grant(id, ADA)).toBe(true);
    };
    const result = await client.callTool({ name: 'items', arguments: { action: 'delete', id: 1 } });
    expect(acknowledgedBy(result as CallToolResult)).toEqual({ acknowledged: 'url' });
    expect(ran).toEqual(['delete 1']);
  });

  test('is asked on the page for `confirm: true` if it has no forms', async () => {
    const client = await connect({ url: {} });
    onPage = ({ id }) => app.consent.grant(id, ADA);
    const result = await client.callTool({ name: 'items', arguments: { action: 'asked', id: 1 } });
    expect(acknowledgedBy(result as CallToolResult)).toEqual({ acknowledged: 'url' });
    expect(ran).toEqual(['asked 1']);
  });
});

test('a client of 2026-07-28 is asked again where the page takes its time', async () => {
  const { app } = await createAppWithCallers(ItemsModule, {}, { consent: options.consent });
  const { url } = await app.listen({ port: 0, sessions: false });
  const send = async (more: object = {}): Promise<Round> => {
    const _meta = envelope({ elicitation: { url: {} } });
    const params = { name: 'items', arguments: { action: 'delete', id: 1 }, _meta, ...more };
    return (JSON.parse((await post2026(url, 'tools/call', params, HTTP)).body) as { result: Round }).result;
  };
  const answer = ({ requestState, inputRequests = {} }: Round): object => ({
    requestState,
    inputResponses: Object.fromEntries(Object.keys(inputRequests).map((name) => [name, ACCEPT])),
  });
  const first = await send();
  let now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => (now += 5_000));
  const second = await send(answer(first));
  clock.mockRestore();
  expect(second.inputRequests).toEqual(first.inputRequests);
  expect([asked.length, ran]).toEqual([1, []]);
  await app.consent.grant((asked[0] as ConsentRequest).id, ADA);
  expect(acknowledgedBy(await send(answer(second)))).toEqual({ acknowledged: 'url' });
  expect(await send(answer(second))).toMatchObject({ content: [{ text: 'deleted' }] });
  expect(ran).toEqual(['delete 1']);
  await app.close();
});

type Round = CallToolResult & { readonly requestState?: string; readonly inputRequests?: object };

describe('a page', () => {
  let app: McpApplication;
  let other: McpApplication;
  /** What two instances share, as one outside of the process would be. */
  const backplane = { store: new InMemoryStore() };
  beforeAll(async () => {
    app = await McpApplication.create(ItemsModule, { ...options, backplane });
    other = await McpApplication.create(ItemsModule, { ...options, backplane });
  });
  afterAll(async () => {
    await app.close();
    await other.close();
  });

  const call = (more: LocalCallOptions = {}, answer?: Answer): Promise<CallToolResult> =>
    app.call(
      'items',
      { action: 'delete', id: 1 },
      {
        authInfo: authInfoOf({ sub: 'ada' }),
        client: { capabilities: { elicitation: { url: {} } } },
        onRequest: (_method, question) => answer ?? openPage(question),
        ...more,
      },
    );

  test('shows what is asked until it is decided, and takes one decision, on any instance', async () => {
    onPage = async ({ id }) => {
      expect(await other.consent.find(id, ADA)).toEqual(asked[0]);
      expect(await other.consent.grant(id, ADA)).toBe(true);
      expect(await other.consent.deny(id, ADA)).toBe(false);
      expect(await other.consent.find(id, ADA)).toBeUndefined();
    };
    expect((await call()).isError).toBeUndefined();
    expect(await app.consent.grant((asked[0] as ConsentRequest).id, ADA)).toBe(false);
    expect(ran).toEqual(['delete 1']);
  });

  test('that nobody used in five minutes ends the call, and counts no more', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const late: boolean[] = [];
    onPage = async ({ id }) => {
      clock.mockReturnValue(now + 5 * 60_000);
      late.push(await app.consent.grant(id, ADA));
    };
    expect(codeOf(await call())).toBe('CONSENT_EXPIRED');
    expect([late, ran]).toEqual([[false], []]);
  });

  test('is not waited for by a call that is cancelled', async () => {
    const cancelling = new AbortController();
    onPage = () => cancelling.abort();
    expect(codeOf(await call({ signal: cancelling.signal }))).toBe('CANCELLED');
    expect(ran).toEqual([]);
  });

  test.each([['decline'], ['cancel']])('is not opened after a %s', async (action) => {
    expect(codeOf(await call({}, { action }))).toBe('CONSENT_DECLINED');
    expect(ran).toEqual([]);
  });

  test('is for people: a program that acts for itself, and one that nobody knows, cannot ask', async () => {
    for (const authInfo of [authInfoOf({}), undefined]) {
      const given = authInfo === undefined ? {} : { authInfo };
      const trusted = await McpApplication.create(ItemsModule, { ...options, auth: false });
      const client = { capabilities: { elicitation: { url: {} } } };
      const result = await trusted.call('items', { action: 'delete', id: 1 }, { client, ...given });
      expect(codeOf(result)).toBe('CONSENT_UNAVAILABLE');
      await trusted.close();
    }
    expect([ran, asked]).toEqual([[], []]);
  });

  test('has to exist where an action needs it', async () => {
    const { consent: _consent, ...others } = options;
    await expect(McpApplication.create(ItemsModule, others)).rejects.toMatchObject({
      problems: [expect.objectContaining({ code: 'TW_SCAN_CONSENT_PAGE', where: 'Items.delete()' })],
    });
    const built = createTool('built')
      .description('Built')
      .action({ name: 'delete', destructive: { confirm: 'url' }, handler: () => 'deleted' });
    expect(codeOf(await built.execute({ action: 'delete' }))).toBe('CONSENT_UNAVAILABLE');
  });
});
