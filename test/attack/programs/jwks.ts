import { setTimeout as after } from 'node:timers/promises';
import { OwnRedis } from '../../support/services/own-redis.ts';
import { TokenIssuer } from '../../support/token-issuer.ts';
import type { AttackProgram, AttackRow, Target } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { hostileAnswers, HostileServer, type HostileAnswer } from '../auth/hostile-server.ts';
import { forgedTokens, TokenCallers, type CallCounts } from '../auth/token-callers.ts';

const REPLICAS = 3;
/** As `servers/resource.ts` has it. */
const COOLDOWN = 500;
/** Two places of the metadata, and the keys. */
const REQUESTS_PER_LOOK = 3;
/** Milliseconds in which good tokens have to count again. */
const RECOVERY = 10_000;

export const jwks: AttackProgram = {
  name: 'jwks',
  measures:
    'what becomes of good, forged and revoked tokens at three replicas while the server of the keys, or that of the revocation list, is hostile; the time is that of the longest call',
  run: async (target) => {
    await using redis = await OwnRedis.start();
    const issuer = await TokenIssuer.start();
    const forger = await TokenIssuer.start();
    await using list = await HostileServer.start((path) =>
      JSON.stringify({ isRevoked: path.startsWith('/revoked-') }),
    );
    const environment = { RESOURCE_STORE: redis.url, RESOURCE_ISSUER: issuer.url, RESOURCE_LIST: list.url };
    const replicas: AttackedServer[] = [];
    try {
      for (let index = 0; index < REPLICAS; index += 1) {
        replicas.push(await target.serve('resource', { environment }));
      }
      const place = { issuer, forger, list, replicas };
      const rows: AttackRow[] = [await attack('nothing is hostile', () => undefined, place, target)];
      for (const [what, answer] of await keyAnswers(issuer, forger)) {
        const begin = (): void => {
          issuer.answer = ({ url = '' }, response) => answer(response, documentAt(issuer, url));
        };
        rows.push(await attack(`the server of the keys ${what}`, begin, place, target));
      }
      const { 'sends 100 MB': _, ...answers } = hostileAnswers(forger.url);
      for (const [what, answer] of Object.entries(answers)) {
        const begin = (): void => void (list.answer = answer);
        rows.push(await attack(`the revocation list ${what}`, begin, place, target));
      }
      return rows;
    } finally {
      await Promise.all([...replicas, issuer, forger].map((each) => each.close()));
    }
  },
};

interface Place {
  readonly issuer: TokenIssuer;
  /** Where redirects lead to, and who signs what must not count. */
  readonly forger: TokenIssuer;
  readonly list: HostileServer;
  readonly replicas: readonly AttackedServer[];
}

async function attack(
  name: string,
  begin: () => void,
  { issuer, forger, list, replicas }: Place,
  { isQuick, progress }: Target,
): Promise<AttackRow> {
  const callers = new TokenCallers(replicas, () => issuer.sign(), forgedTokens(issuer, forger));
  const session = await callers.openSession();
  const [asked, elsewhere] = [issuer.asked.length, forger.asked.length];
  begin();
  const begun = performance.now();
  const counts = await callers.callFor(isQuick ? 2000 : 10_000, session);
  const looks = REPLICAS * (Math.ceil((performance.now() - begun) / COOLDOWN) + 1);
  const requests = issuer.asked.length - asked;
  issuer.answer = undefined;
  list.answer = undefined;
  const faults = [
    ...faultsIn(counts),
    requests > looks * REQUESTS_PER_LOOK ? `${String(requests)} requests to the server of the keys` : [],
    forger.asked.length > elsewhere ? 'a redirect was followed' : [],
    (await recover(callers, session)) ? [] : 'good tokens do not count again',
  ].flat();
  const note = noteOf(counts, requests);
  progress(`${name}: ${note}`);
  const fault = faults.length === 0 ? undefined : faults.join('; ');
  return { name, bytes: 0, milliseconds: counts.longest, note, fault };
}

function faultsIn({ accepted, hung, internal }: CallCounts): readonly string[] {
  return [
    ...new Set(accepted.map((wrong) => `a token was accepted that is ${wrong}`)),
    ...(hung > 0 ? [`${String(hung)} calls hung`] : []),
    ...(internal > 0 ? [`${String(internal)} × INTERNAL_ERROR`] : []),
  ];
}

function noteOf({ good, forged, accepted, hung, internal }: CallCounts, requests: number): string {
  const statuses = [...good].sort().map(([status, count]) => `${String(count)} × ${String(status)}`);
  return [
    `good tokens ${statuses.join(', ')}`,
    `${String(forged)} forged or revoked, ${String(accepted.length)} accepted`,
    `${String(hung)} hung, ${String(internal)} INTERNAL_ERROR`,
    `${String(requests)} requests to the server of the keys`,
  ].join('; ');
}

async function recover(callers: TokenCallers, session: string): Promise<boolean> {
  // So that each replica asks for the keys again, and none takes those that it has for the next attack as well
  await after(COOLDOWN);
  const until = performance.now() + RECOVERY;
  while (performance.now() < until) {
    if (await callers.areServed(session)) return true;
    await after(COOLDOWN / 2);
  }
  return false;
}

function documentAt(issuer: TokenIssuer, path: string): string {
  if (path === '/keys') return JSON.stringify({ keys: issuer.keys.map(({ jwk }) => jwk) });
  return JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
}

/** What every server may answer, and what only one of keys can. */
async function keyAnswers(
  issuer: TokenIssuer,
  forger: TokenIssuer,
): Promise<readonly (readonly [what: string, answer: HostileAnswer])[]> {
  const others = await TokenIssuer.start();
  const names = Array.from({ length: 8 }, (_, index) => `next-${String(index)}`);
  const next = await Promise.all(names.map((name) => others.addKey(name)));
  await others.close();
  const own = issuer.keys.map(({ jwk }) => jwk);
  let turn = 0;
  const sets: Readonly<Record<string, () => readonly object[]>> = {
    'has 10,000 keys': () => [
      ...own,
      ...Array.from({ length: 10_000 }, (_, index) => ({ ...own[0], kid: `many-${String(index)}` })),
    ],
    'has keys of the wrong kinds': () => [
      { kty: 'oct', kid: 'first', k: 'AAAA', alg: 'HS256' },
      { kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB', alg: 'RS256' },
      { kty: 'EC', crv: 'P-256', kid: 'other', x: 'AA', y: [[]] },
      { kty: 'OKP', crv: 'X25519', kid: 5, x: own[0]?.x },
      { kid: {}, use: 1, key_ops: 'verify' },
    ],
    'has other keys at each request': () => [next[(turn += 1) % next.length]?.jwk ?? {}],
  };
  const ofKeys = Object.entries(sets).map(([what, keys]): readonly [string, HostileAnswer] => [
    what,
    (response, text) => {
      const said = text.startsWith('{"keys"') ? JSON.stringify({ keys: keys() }) : text;
      response.writeHead(200, { 'content-type': 'application/json' }).end(said);
    },
  ]);
  return [...Object.entries(hostileAnswers(forger.url)), ...ofKeys];
}
