import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryAuditStore, type AuditRecord } from 'toolwright/audit';
import { openTelemetry } from 'toolwright/opentelemetry';
import { Observatory } from '../support/open-telemetry.ts';
import { Browser } from '../support/sign-in/browser.ts';
import {
  CALLBACK,
  HandClient,
  isCallback,
  register,
  SECRET,
  startDesk,
  type Desk,
  type DeskOptions,
} from '../support/sign-in/desk.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Audited {
  readonly desk: Desk;
  readonly sky: Observatory;
  /** The steps that are recorded, once what waits is stored. */
  steps(): Promise<AuditRecord[]>;
  /** All records as text. */
  text(): Promise<string>;
}

async function startAudited(options: DeskOptions = {}): Promise<Audited> {
  const store = new InMemoryAuditStore();
  const sky = new Observatory();
  const telemetry = openTelemetry(sky);
  const desk = await startDesk({ ...options, application: { audit: { store }, telemetry } });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await desk.close();
    isClosed = true;
  };
  closing.push(close, () => sky.close());
  const read = async (): Promise<string[]> => {
    await close();
    const texts: string[] = [];
    for await (const text of store.read()) texts.push(text);
    return texts;
  };
  return {
    ...{ desk, sky },
    text: async () => (await read()).join('\n'),
    steps: async () =>
      (await read())
        .map((text) => JSON.parse(text) as AuditRecord)
        .filter(({ change }) => change?.startsWith('sign-in.') === true),
  };
}

const changesOf = (records: readonly AuditRecord[]): unknown[] => records.map(({ change }) => change);

describe('the audit of signing in', () => {
  test('has the way of a person from the registration to the end', async () => {
    const { desk, steps } = await startAudited();
    const client = await HandClient.register(desk.origin);
    await client.tokens();
    expect(await desk.app.signIn.end({ sub: 'ann' })).toBe(1);
    const records = await steps();
    expect(changesOf(records)).toEqual([
      ...['sign-in.registered', 'sign-in.allowed', 'sign-in.signed-in', 'sign-in.ended'],
    ]);
    const [registered, allowed, signedIn, ended] = records;
    expect(registered?.clientId).toMatch(/^dcr-/);
    expect(registered?.details).toEqual({ registration: 'registered', redirects: ['127.0.0.1:9'] });
    expect(allowed?.details).toMatchObject({ provider: 'oidc', scopes: ['desk:read'] });
    expect(signedIn?.details?.['subject']).toMatch(/^[0-9a-f]{64}$/);
    expect(ended?.details?.['subject']).toBe(signedIn?.details?.['subject']);
    expect(new Set(records.map(({ clientId }) => clientId)).size).toBe(1);
  });

  test('has who refused: the person, the provider, and the options', async () => {
    const { desk, steps } = await startAudited({ provider: { domains: ['acme.example'] } });
    const client = await HandClient.register(desk.origin);
    await register(desk.origin, { redirect_uris: ['https://evil.example/cb'] });
    const browser = new Browser();
    const page = await browser.open(client.authorizationUrl(), isCallback);
    await browser.press(page, 'deny', isCallback);
    desk.upstream.person = undefined;
    await client.signIn();
    desk.upstream.person = { sub: 'bob', email: 'bob@other.example', email_verified: true };
    await client.signIn();
    const records = await steps();
    expect(changesOf(records)).toEqual([
      ...['sign-in.registered', 'sign-in.refused', 'sign-in.denied'],
      ...['sign-in.allowed', 'sign-in.provider-refused', 'sign-in.allowed', 'sign-in.refused'],
    ]);
    expect(records[1]?.details).toEqual({ registration: 'registered', reason: 'invalid_redirect_uri' });
    expect(records[6]?.details?.['reason']).toBe('the domain is not among domains');
  });

  test('has a code that is used again, and not that of a client that leaves', async () => {
    const { desk, steps } = await startAudited();
    const client = await HandClient.register(desk.origin);
    const code = (await client.signIn()).get('code') ?? '';
    await client.redeem(code);
    expect((await client.redeem(code)).status).toBe(400);
    const { refresh_token: token } = await client.tokens();
    const form = new URLSearchParams({ client_id: client.id, token });
    await fetch(`${desk.origin}/revoke`, { method: 'POST', body: form });
    const changes = changesOf(await steps());
    expect(changes.filter((change) => change === 'sign-in.reuse-detected')).toHaveLength(1);
    expect(changes.filter((change) => change === 'sign-in.ended')).toHaveLength(2);
  });

  test('is left out where its kind is', async () => {
    const store = new InMemoryAuditStore();
    const desk = await startDesk({ application: { audit: { store, kinds: ['configuration'] } } });
    await (await HandClient.register(desk.origin)).tokens();
    await desk.close();
    for await (const text of store.read()) expect(text).not.toContain('sign-in.');
  });
});

test('90: audit, log and metrics of a sign-in hold no code, token, secret, state or claim', async () => {
  const { desk, sky, text } = await startAudited();
  const client = await HandClient.register(desk.origin);
  const browser = new Browser();
  const answer = await client.signIn(browser, { state: 'a-state-of-the-client' });
  const code = answer.get('code') ?? '';
  const tokens = (await (await client.redeem(code)).json()) as Record<string, string>;
  await client.refresh(tokens['refresh_token'] ?? '');
  await client.redeem(code);
  const upstream = browser.visited.flatMap((url) => [...new URL(url).searchParams]);
  const secret = upstream.filter(([name]) => ['code', 'state', 'nonce', 'code_challenge'].includes(name));
  expect(secret.length).toBeGreaterThan(3);
  const metrics = await sky.metrics();
  const said = [JSON.stringify(desk.logger.records), await text(), JSON.stringify(metrics)].join('\n');
  for (const each of [
    ...secret.map(([, value]) => value),
    ...[code, tokens['access_token'], tokens['refresh_token'], client.verifier, client.id, SECRET],
    ...['a-state-of-the-client', 'Ann', 'ann@acme.example', '"ann"', 'tester', CALLBACK],
  ])
    expect(said).not.toContain(each);
});

test('steps are counted by outcome, provider and kind of registration, and never by client', async () => {
  const { desk, sky } = await startAudited();
  await (await HandClient.register(desk.origin)).tokens();
  const steps = (await sky.metrics()).find(({ name }) => name === 'toolwright.sign_in.steps');
  expect(steps?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { outcome: 'registered', registration: 'registered' },
    { outcome: 'allowed', provider: 'oidc', registration: 'registered' },
    { outcome: 'signed-in', provider: 'oidc', registration: 'registered' },
  ]);
});
