import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { McpApplication, type HttpServing } from 'toolwright';
import { DirectModule } from '../../../support/direct-app.ts';
import { MemoryLogger } from '../../../support/fake-application.ts';
import { initialize, send, type RawRequest } from '../../../support/raw-http.ts';
import {
  differencesOf,
  HEAD_DIFFERENCES,
  headOf,
  isFault,
  type AnswerHead,
} from '../../../support/oracle/http-differences.ts';
import { httpOracle2025, type HttpOracle } from '../../../support/oracle/http-oracle-2025.ts';
import { initialize as hello2025 } from '../../connection-cases.ts';
import { body2025, ODD_BODIES, ODD_HEADERS, REQUESTS } from '../../../support/oracle/corpus.ts';

const INFO = { name: 'direct', version: '1.0.0' };
const MODES = {
  'with sessions': { hasSessions: true, json: false },
  'without sessions': { hasSessions: false, json: false },
  'without sessions, as plain JSON': { hasSessions: false, json: true },
} as const;
/** Of no session: nobody waits for the end of what is opened. */
const NOBODY = { 'mcp-session-id': 'nobody' };
const STREAM = { accept: 'text/event-stream' };

const CASES: Readonly<Record<string, RawRequest>> = {
  ...Object.fromEntries(
    REQUESTS.filter(([, params]) => !JSON.stringify(params ?? {}).includes('"who"')).map(
      ([method, params], place) => [
        `${method} ${JSON.stringify(params ?? {})}`,
        { body: body2025(method, params, `request ${String(place)}`) },
      ],
    ),
  ),
  ...Object.fromEntries(Object.entries(ODD_BODIES).map(([name, body]) => [`a body with ${name}`, { body }])),
  ...Object.fromEntries(
    Object.entries(ODD_HEADERS).map(([name, headers]) => [
      `a head with ${name}`,
      { body: body2025('tools/list', {}, name), headers },
    ]),
  ),
  PUT: { method: 'PUT', body: '{}' },
  PATCH: { method: 'PATCH', body: '{}' },
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  'GET without an Accept of streams': { method: 'GET', headers: { accept: 'application/json' } },
  'a second initialize': { body: JSON.stringify({ jsonrpc: '2.0', ...hello2025() }) },
};
const SESSION_CASES: Readonly<Record<string, RawRequest>> = {
  'GET of a session that never was': { method: 'GET', headers: { ...STREAM, ...NOBODY } },
  'DELETE of a session that never was': { method: 'DELETE', headers: NOBODY },
  'GET without a session': { method: 'GET', headers: { ...STREAM, 'mcp-session-id': '' } },
  'DELETE without a session': { method: 'DELETE', headers: { 'mcp-session-id': '' } },
  'a call without a session': { body: body2025('ping', {}), headers: { 'mcp-session-id': '' } },
};

const seen = new Set<string>();

const ALL_CASES =
  Object.keys(MODES).length * Object.keys(CASES).length +
  Object.values(MODES).filter(({ hasSessions }) => hasSessions).length * Object.keys(SESSION_CASES).length;
let compared = 0;

describe.each(Object.keys(MODES) as (keyof typeof MODES)[])('%s', (mode) => {
  const { hasSessions, json } = MODES[mode];
  let app: McpApplication;
  let serving: HttpServing;
  let oracle: HttpOracle;
  beforeAll(async () => {
    app = await McpApplication.create(DirectModule, { ...INFO, logger: new MemoryLogger() });
    const options = { port: 0, signals: false, json } as const;
    serving = await app.listen(hasSessions ? options : { ...options, sessions: false });
    oracle = await httpOracle2025(app, { info: INFO, ...MODES[mode] });
  });
  afterAll(async () => {
    await oracle.close();
    await app.close();
  });

  async function ask(url: string, request: RawRequest, session: string | undefined): Promise<AnswerHead> {
    const given = { ...(session === undefined ? {} : { 'mcp-session-id': session }), ...request.headers };
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const answer = await send(url, { ...request, headers });
    return headOf(answer.status, {
      get: (name) => (answer.headers[name] === undefined ? null : String(answer.headers[name])),
    });
  }

  const openSession = async (url: string): Promise<string | undefined> =>
    hasSessions ? initialize(url) : undefined;

  /** Twice of the engine, because the second may take a shorter way. */
  async function compare(name: string, request: RawRequest): Promise<void> {
    const sdk = await ask(oracle.url, request, await openSession(oracle.url));
    const session = await openSession(serving.url);
    compared += 1;
    for (let time = 0; time < 2; time += 1) {
      const own = await ask(serving.url, request, session);
      const differences = differencesOf(`${mode}: ${name}`, own, sdk);
      for (const difference of differences) seen.add(difference);
      if (differences.some(isFault)) expect(own).toEqual(sdk);
    }
  }

  test.each(Object.keys(CASES))('heads its answer to %s as SDK v1 does', async (name) => {
    await compare(name, CASES[name] as RawRequest);
  });

  if (hasSessions) {
    test.each(Object.keys(SESSION_CASES))('heads its answer to %s as SDK v1 does', async (name) => {
      await compare(name, SESSION_CASES[name] as RawRequest);
    });

    test('ends a session, and knows it no more, as SDK v1 does', async () => {
      const end = { method: 'DELETE' };
      const session = await openSession(serving.url);
      expect(await ask(serving.url, end, session)).toMatchObject({ status: 200 });
      expect(await ask(oracle.url, end, await openSession(oracle.url))).toMatchObject({ status: 200 });
      const call = { body: body2025('ping', {}) };
      expect(await ask(serving.url, call, session)).toMatchObject({ status: 404 });
    });
  }
});

afterAll(() => {
  // Where only some cases were asked for, some differences are not there
  if (compared === ALL_CASES)
    expect(HEAD_DIFFERENCES.map(({ why }) => why).filter((why) => !seen.has(why))).toEqual([]);
});
