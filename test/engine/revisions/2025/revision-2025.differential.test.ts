import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { McpApplication, type HttpServing } from 'toolwright';
import { DirectModule } from '../../../support/direct-app.ts';
import { MemoryLogger } from '../../../support/fake-application.ts';
import { initialize, type RawRequest } from '../../../support/raw-http.ts';
import { connectOracle } from '../../../support/oracle/connect-oracle.ts';
import { comparable } from '../../../support/oracle/differences-2025.ts';
import { transcript, type Heard } from '../../../support/oracle/transcript.ts';
import { initialize as hello2025 } from '../../connection-cases.ts';
import { body2025, ODD_BODIES, ODD_HEADERS, REQUESTS } from '../../../support/oracle/corpus.ts';
import { observe, type Observed } from '../../observe.ts';

const SECRETS = ['a secret of at least thirty-two characters'];
const OPTIONS = { name: 'direct', version: '1.0.0', logger: new MemoryLogger(), secrets: SECRETS };
const MODES = {
  'with sessions': {},
  'without sessions': { sessions: false },
  'without sessions, as plain JSON': { sessions: false, json: true },
  'with pages': { sessions: false },
} as const;
const JSON_MODE = 'without sessions, as plain JSON';
const INFO = { name: 'direct', version: '1.0.0' };

describe.each(Object.keys(MODES) as (keyof typeof MODES)[])('%s', (mode) => {
  let app: McpApplication;
  let serving: HttpServing;
  let sessions: readonly string[] = [];
  beforeAll(async () => {
    app = await McpApplication.create(DirectModule, {
      ...OPTIONS,
      ...(mode === 'with pages' ? { pageSize: 1 } : {}),
    });
    serving = await app.listen({ port: 0, signals: false, ...MODES[mode] });
    if (mode === 'with sessions') sessions = [await initialize(serving.url), await initialize(serving.url)];
  });
  afterAll(() => app.close());

  const sessionOf = (place: 0 | 1): Record<string, string> =>
    sessions[place] === undefined ? {} : { 'mcp-session-id': sessions[place] };

  /** The same request twice, because the second may take a shorter way. */
  async function twice(request: RawRequest): Promise<Observed> {
    const first = await observe(serving.url, withSession(request, 0));
    const second = await observe(serving.url, withSession(request, 1));
    expect(second).toEqual(first);
    return first;
  }

  const withSession = (request: RawRequest, place: 0 | 1): RawRequest =>
    request.headers?.['mcp-protocol-version'] === '2026-07-28' ||
    request.headers?.['mcp-session-id'] !== undefined
      ? request
      : { ...request, headers: { ...sessionOf(place), ...request.headers } };

  const judged = REQUESTS.filter(([, params]) => !JSON.stringify(params ?? {}).includes('"who"'));
  test.each(judged)('answers %s %j of 2025 as SDK v1 does', async (method, params) => {
    const { status, messages } = await twice({ body: body2025(method, params) });
    expect(status).toBe(200);
    if (mode === 'with pages') return;
    const said = { id: 1, method, ...(params === undefined ? {} : { params }) };
    const hello = mode === 'with sessions' ? [hello2025()] : [];
    const all = await transcript((far) => connectOracle(app, far, INFO), [...hello, said]);
    const heard = all.slice(hello.length).filter((message) => mode !== JSON_MODE || 'id' in message);
    const name = `request 0: ${method} ${JSON.stringify(params ?? {})}`;
    if (mode === JSON_MODE && method === 'logging/setLevel') return;
    const own = messages.map((text) => JSON.parse(text) as Heard);
    expect(comparable(own, name)).toEqual(comparable(heard, name));
  });

  test.each(Object.keys(ODD_BODIES))('answers a body with %s always alike', async (name) => {
    const { status } = await twice({ body: ODD_BODIES[name] as string });
    expect(status).toBeGreaterThanOrEqual(200);
  });

  test.each(Object.keys(ODD_HEADERS))('answers a head with %s always alike', async (name) => {
    const headers = ODD_HEADERS[name] as Record<string, string>;
    const { status } = await twice({ body: body2025('tools/list', {}), headers });
    expect(status).toBeGreaterThanOrEqual(200);
  });

  test('goes through all pages', async () => {
    let cursor: string | undefined;
    for (let page = 0; page < 5; page += 1) {
      const { messages } = await twice({
        body: body2025('tools/list', cursor === undefined ? {} : { cursor }),
      });
      const { result } = JSON.parse(messages[0] ?? '{}') as { result?: { nextCursor?: string } };
      cursor = result?.nextCursor;
      if (cursor === undefined) break;
    }
    expect(cursor).toBeUndefined();
  });

  test('answers any request always alike', async () => {
    const member = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('desk', 'greet', 'memo:one', 'add'),
    );
    const params = fc.dictionary(
      fc.constantFrom('name', 'arguments', 'uri', 'cursor', '_meta', 'task', 'ref', 'requestState'),
      fc.oneof(member, fc.dictionary(fc.constantFrom('action', 'a', 'b', 'name', 'progressToken'), member)),
    );
    const method = fc.constantFrom(...new Set(REQUESTS.map(([name]) => name)));
    const id = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, 1.5, 0));
    await fc.assert(
      fc.asyncProperty(method, params, id, async (name, given, requestId) => {
        await twice({ body: body2025(name, given, requestId as number) });
      }),
      { numRuns: 60 },
    );
  });
});
