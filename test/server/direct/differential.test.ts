import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { McpApplication, type HttpServing } from 'toolwright';
import { directSwitch } from '../../fixtures/direct-switch.ts';
import { DirectModule } from '../../fixtures/direct-app.ts';
import { MemoryLogger } from '../../fixtures/fake-surface.ts';
import { initialize, type RawRequest } from '../../fixtures/raw-http.ts';
import { legacyBody, ODD_BODIES, ODD_HEADERS, REQUESTS } from './corpus.ts';
import { observe, type Observed } from './observe.ts';

const SECRETS = ['a secret of at least thirty-two characters'];
const OPTIONS = { name: 'direct', version: '1.0.0', logger: new MemoryLogger(), secrets: SECRETS };
const MODES = {
  'with sessions': {},
  'without sessions': { sessions: false },
  'without sessions, as plain JSON': { sessions: false, json: true },
  'with pages': { sessions: false },
} as const;

let direct: ReturnType<typeof directSwitch>;
beforeAll(() => {
  direct = directSwitch();
});
afterAll(() => {
  direct.restore();
});

describe.each(Object.keys(MODES) as (keyof typeof MODES)[])('%s, without the SDK', (mode) => {
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

  /** The same request by both ways; twice without the SDK, because the second may take a shorter one. */
  async function both(request: RawRequest): Promise<readonly Observed[]> {
    const plain = await direct.without(() => observe(serving.url, withSession(request, 0)));
    const first = await observe(serving.url, withSession(request, 1));
    const second = await observe(serving.url, withSession(request, 1));
    expect(first).toEqual(plain);
    expect(second).toEqual(plain);
    return [plain, first];
  }

  const withSession = (request: RawRequest, place: 0 | 1): RawRequest =>
    request.headers?.['mcp-protocol-version'] === '2026-07-28' ||
    request.headers?.['mcp-session-id'] !== undefined
      ? request
      : { ...request, headers: { ...sessionOf(place), ...request.headers } };

  test.each(REQUESTS)('answers %s %j of 2025 as the SDK does', async (method, params) => {
    const [plain] = await both({ body: legacyBody(method, params) });
    expect(plain?.status).toBeGreaterThanOrEqual(200);
  });

  test.each(Object.keys(ODD_BODIES))('answers a body with %s as the SDK does', async (name) => {
    const [plain] = await both({ body: ODD_BODIES[name] as string });
    expect(plain?.status).toBeGreaterThanOrEqual(200);
  });

  test.each(Object.keys(ODD_HEADERS))('answers a head with %s as the SDK does', async (name) => {
    const headers = ODD_HEADERS[name] as Record<string, string>;
    const [legacy] = await both({ body: legacyBody('tools/list', {}), headers });
    expect(legacy?.status).toBeGreaterThanOrEqual(200);
  });

  test('goes through all pages as the SDK does', async () => {
    let cursor: string | undefined;
    for (let page = 0; page < 5; page += 1) {
      const [plain] = await both({ body: legacyBody('tools/list', cursor === undefined ? {} : { cursor }) });
      const { result } = JSON.parse(plain?.messages[0] ?? '{}') as { result?: { nextCursor?: string } };
      cursor = result?.nextCursor;
      if (cursor === undefined) break;
    }
    expect(cursor).toBeUndefined();
  });

  test('answers any request as the SDK does', async () => {
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
        await both({ body: legacyBody(name, given, requestId as number) });
      }),
      { numRuns: 60 },
    );
    expect(direct.taken).toBeGreaterThan(0);
  }, 60_000);
});
