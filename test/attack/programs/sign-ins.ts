import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import { Browser } from '../../support/sign-in/browser.ts';
import {
  callTool,
  CALLBACK,
  claimsIn,
  HandClient,
  isCallback,
  type Tokens,
} from '../../support/sign-in/desk.ts';
import { startUpstream, type Upstream } from '../../support/sign-in/upstream.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { KilledReplicas, ORIGIN, type Moment } from '../sign-ins/killed-replicas.ts';

/** Requests from the registration to a refresh. */
const STEPS = 9;
/** KiB that the heap may grow by, however many register. */
const MAX_GROWTH = 8192;
const MOMENTS: readonly Moment[] = ['before', 'during', 'after'];
/** What counts once: where the answer was lost, the person begins again. */
const ONCE: readonly string[] = ['done', 'resume', 'token'];

export const signIns: AttackProgram = {
  name: 'sign-ins',
  measures:
    'what a sign-in costs the processor, and the memory a flood of registrations; then sign-ins with a kill -9 at a random step and another replica for each request',
  run: async (target) => {
    await using redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
    await using postgres = await OwnPostgres.start();
    return [
      await signInOften(target),
      await registerOften(target),
      await signInOn('Redis', redis.url, target),
      await signInOn('PostgreSQL', postgres.url, target),
    ];
  },
};

/** Sign-ins of different people, one after the other, with the state in memory: what one core could do. */
async function signInOften(target: Target): Promise<AttackRow> {
  const count = target.isQuick ? 50 : 1000;
  const { server, ask, upstream } = await alone(target);
  const once = async (n: number): Promise<void> => {
    upstream.person = { sub: `person-${String(n)}`, roles: [] };
    await (await HandClient.register(ORIGIN, {}, ask)).tokens(new Browser(ask));
  };
  for (let n = 0; n < count / 10; n += 1) await once(n);
  const before = await server.vitals();
  const begun = performance.now();
  for (let n = 0; n < count; n += 1) await once(count + n);
  const milliseconds = performance.now() - begun;
  const after = await server.vitals();
  const each = (after.processor - before.processor) / count;
  await server.close();
  upstream.close();
  const note = `${each.toFixed(1)} ms of processor each: ${(1000 / each).toFixed(0)} a second on one core`;
  return { name: `${String(count)} sign-ins with refresh tokens`, bytes: 0, milliseconds, note };
}

/** Registrations that nobody uses; they leave nothing behind. */
async function registerOften(target: Target): Promise<AttackRow> {
  const count = target.isQuick ? 500 : 20_000;
  const { server, ask, upstream } = await alone(target);
  const part = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1)
      await HandClient.register(ORIGIN, { client_name: `program ${String(n)}` }, ask);
  };
  await part(0, count / 10);
  const before = await server.vitals();
  const begun = performance.now();
  await Promise.all([0, 1, 2, 3].map((n) => part((n * count) / 4, ((n + 1) * count) / 4)));
  const milliseconds = performance.now() - begun;
  const after = await server.vitals();
  await server.close();
  upstream.close();
  const grown = (after.heapUsed - before.heapUsed) / 1024;
  const fault = grown > MAX_GROWTH ? `the heap has grown by ${grown.toFixed(0)} KiB` : undefined;
  const note = `heap grown by ${grown.toFixed(0)} KiB, ${(grown / count).toFixed(3)} KiB each`;
  return { name: `${String(count)} registrations`, bytes: 0, milliseconds, note, fault };
}

/** One server with its state in memory. */
async function alone({
  serve,
}: Target): Promise<{ server: AttackedServer; ask: typeof fetch; upstream: Upstream }> {
  const upstream = await startUpstream([`${ORIGIN}/sign-in/callback`]);
  const environment = { SIGN_IN_UPSTREAM: upstream.url, SIGN_IN_ORIGIN: ORIGIN };
  const server = await serve('sign-in', { nodeOptions: ['--expose-gc'], environment });
  const { origin } = new URL(server.url);
  const ask = ((input: string | URL, init?: RequestInit) =>
    fetch(String(input).replace(ORIGIN, origin), { ...init, redirect: 'manual' })) as typeof fetch;
  return { server, ask, upstream };
}

/** What became of all sign-ins on one store. */
class Counts {
  wentOn = 0;
  beganAgain = 0;
  denied = 0;
  readonly faults: string[] = [];
}

async function signInOn(store: string, url: string, target: Target): Promise<AttackRow> {
  const count = target.isQuick ? 6 : 100;
  const upstream = await startUpstream([`${ORIGIN}/sign-in/callback`]);
  const environment = { SIGN_IN_STORE: url, SIGN_IN_UPSTREAM: upstream.url, SIGN_IN_ORIGIN: ORIGIN };
  const begun = performance.now();
  const counts = new Counts();
  try {
    await using replicas = await KilledReplicas.start(target, environment);
    for (let n = 0; n < count; n += 1) {
      await signInOnce(n, { replicas, upstream, counts });
      target.progress(
        `${store}: ${String(n + 1)} of ${String(count)} sign-ins, ${String(replicas.kills)} kills`,
      );
    }
    const lost = [...new Set(replicas.lost)].map(
      (step) => `${step} ${String(replicas.lost.filter((each) => each === step).length)}`,
    );
    const { wentOn, beganAgain, denied, faults } = counts;
    const note = [
      `${String(replicas.kills)} kills, ${String(replicas.changes)} changes of replica`,
      `${String(wentOn)} went on, ${String(beganAgain)} began again, ${String(denied)} refused by the person`,
      `answers lost: ${lost.length === 0 ? 'none' : lost.join(', ')}`,
    ].join('; ');
    const name = `${String(count)} sign-ins on ${store}`;
    const milliseconds = performance.now() - begun;
    return { name, bytes: 0, milliseconds, note, fault: faults.length === 0 ? undefined : faults.join('; ') };
  } finally {
    upstream.close();
  }
}

interface Place {
  readonly replicas: KilledReplicas;
  readonly upstream: Upstream;
  readonly counts: Counts;
}

/** One person, whose sign-in is disturbed once; every tenth refuses on the page. */
async function signInOnce(n: number, { replicas, upstream, counts }: Place): Promise<void> {
  const sub = `person-${String(n)}`;
  const moment = MOMENTS[n % MOMENTS.length] ?? 'before';
  const step = 1 + Math.floor(Math.random() * STEPS);
  upstream.person = { sub, roles: ['editor'] };
  const lostBefore = replicas.lost.length;
  replicas.plan(step, moment);
  try {
    if (n % 10 === 9) {
      const answer = await denied(replicas);
      if (answer.get('error') === 'access_denied' && answer.get('code') === null) counts.denied += 1;
      else counts.faults.push(`${sub} refused, and the client got ${answer.toString()}`);
      return;
    }
    await checkGranted(await signIn(replicas), sub, replicas);
    counts.wentOn += 1;
  } catch (error) {
    const lost = replicas.lost.slice(lostBefore);
    const isExpected = lost.some((each) => ONCE.includes(each));
    if (!isExpected)
      counts.faults.push(`${sub}, ${moment} step ${String(step)}: ${String(error).slice(0, 300)}`);
    replicas.unplan();
    await checkGranted(await signIn(replicas), sub, replicas);
    counts.beganAgain += 1;
  } finally {
    replicas.unplan();
  }
}

async function signIn({ ask }: KilledReplicas): Promise<Tokens> {
  const client = await HandClient.register(ORIGIN, { redirect_uris: [CALLBACK] }, ask);
  const tokens = await client.tokens(new Browser(ask));
  const refreshed = await client.refresh(tokens.refresh_token);
  if (refreshed.status !== 200)
    throw new Error(`refresh ${String(refreshed.status)} ${await refreshed.text()}`);
  return (await refreshed.json()) as Tokens;
}

async function denied({ ask }: KilledReplicas): Promise<URLSearchParams> {
  const client = await HandClient.register(ORIGIN, { redirect_uris: [CALLBACK] }, ask);
  const browser = new Browser(ask);
  const page = await browser.open(client.authorizationUrl(), isCallback);
  return new URL((await browser.press(page, 'deny', isCallback)).url).searchParams;
}

/** The token is of the person who signed in, for what was asked and no more, and counts at every replica. */
async function checkGranted(tokens: Tokens, sub: string, replicas: KilledReplicas): Promise<void> {
  const claims = claimsIn(tokens.access_token);
  if (claims['sub'] !== sub || claims['scope'] !== 'desk:read')
    throw new Error(`granted to ${String(claims['sub'])}: ${String(claims['scope'])}`);
  const answer = await callTool(await replicas.endpoint(), tokens.access_token, 'who');
  const text = await answer.text();
  if (answer.status !== 200 || !text.includes(sub)) throw new Error(`the tool says ${text.slice(0, 200)}`);
}
