import { required, rule } from '../../shared/option-rules.ts';
import { connectIoredis, isIoredis } from './ioredis.ts';
import { connectNodeRedis, isNodeRedis } from './node-redis.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { inTime } from '../shared/store-health.ts';
import type { RedisConnection, RedisServers } from './redis-client.ts';

/** Undefined for anything but a client of the two libraries. */
export function serversOf(client: unknown): RedisServers | undefined {
  if (typeof client !== 'object' || client === null) return undefined;
  if (isIoredis(client)) return connectIoredis(client);
  return isNodeRedis(client) ? connectNodeRedis(client) : undefined;
}

export const clientRule = required(
  rule(
    'a client of `@redis/client` or `redis` 6, or of `ioredis` 5 or later',
    (value) => serversOf(value) !== undefined,
  ),
);

const WHERE = 'redisBackplane()';
/** Milliseconds that Redis may take to be there, where nothing is wrong but that it cannot be reached yet. */
const PATIENCE = 5000;

/** What is wrong, by what libraries, Node and Redis say of it. */
const CAUSES: readonly (readonly [said: RegExp, what: string, fix: string])[] = [
  [
    /WRONGPASS|NOAUTH|AUTH failed|invalid password|without any password/i,
    'is refused by Redis because of its credentials',
    'give the client the `username` and `password` of a user that Redis knows',
  ],
  [
    /NOPERM/,
    'has a user that may not run all commands it needs',
    'allow the user +@all on the keys and channels of the option `prefix`: ACL SETUSER <user> ~tw:* &tw:* +@all',
  ],
  [
    /self.signed|unable to verify|unable to get|altname|certificate/i,
    'does not trust the certificate of Redis',
    'give the client the authority that signed it: `tls: { ca }`, for `@redis/client` `socket: { tls: true, ca }`',
  ],
  [
    /wrong version number|packet length too long|EPROTO|\bSSL\b|\bTLS\b/i,
    'expects TLS, and Redis does not speak it at this port',
    'connect to the port that has TLS, or without TLS: redis:// in place of rediss://',
  ],
];

const NO_TLS = 'gets no answer from Redis over TLS';
const TRY_WITHOUT =
  'start Redis; where it has no TLS at this port, connect without: redis:// in place of rediss://, or no `tls`';

/** Whether there was a server to connect to, which then said nothing that TLS understands. */
function isSilence(error: unknown): boolean {
  return (
    !isLasting(error) && !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(messageOf(error))
  );
}

/** Of an error that comes again however often one tries. */
function isLasting(error: unknown): boolean {
  return CAUSES.some(([said]) => said.test(messageOf(error)));
}

/** A connection that is ready. @throws ToolwrightError TW_BACKPLANE_STORE */
export async function connectTo(servers: RedisServers): Promise<RedisConnection> {
  const connection = servers.open();
  let last: unknown;
  try {
    await new Promise<void>((resolve, reject) => {
      connection.onError((error) => {
        last = error;
        if (isLasting(error)) reject(error);
      });
      inTime(connection.connect(), PATIENCE, 'Redis').then(resolve, reject);
    });
    return connection;
  } catch (error) {
    connection.destroy();
    const cause = isLasting(error) ? error : (last ?? error);
    if (servers.usesTls && isSilence(cause))
      throw storeError(`${NO_TLS}: ${messageOf(cause)}`, TRY_WITHOUT, undefined, cause);
    throw unusable(cause);
  }
}

/** @throws ToolwrightError TW_BACKPLANE_STORE when the server cannot keep what it is given */
export async function checkServer(connection: RedisConnection, timeout: number): Promise<void> {
  let info: string;
  try {
    await inTime(connection.send(['PING'], undefined), timeout, 'Redis');
    // Not CONFIG, which hosted servers forbid
    info = String(await inTime(connection.send(['INFO'], undefined), timeout, 'Redis'));
  } catch (error) {
    throw unusable(error);
  }
  if (/^role:slave/m.test(info))
    throw storeError('is connected to a replica, which only reads', 'connect to the primary');
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    throw storeError(
      `is connected to a Redis that forgets keys to make room: its maxmemory-policy is ${policy}`,
      'set `maxmemory-policy noeviction` in redis.conf, or run CONFIG SET maxmemory-policy noeviction',
      'what may not happen twice would happen twice when Redis has forgotten it.',
    );
}

function unusable(cause: unknown): ToolwrightError {
  const [, what, fix] = CAUSES.find(([said]) => said.test(messageOf(cause))) ?? [
    undefined,
    'cannot reach Redis',
    'start Redis, and give the client its address',
  ];
  return storeError(`${what}: ${messageOf(cause)}`, fix, undefined, cause);
}

function storeError(what: string, fix: string, why?: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('TW_BACKPLANE_STORE', { where: WHERE, what: `${what}.`, why, fix, cause });
}

/** Of several errors in one, such as those of all addresses of a name, as well. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((each) => messageOf(each)).join('; ');
  return error instanceof Error ? error.message : String(error);
}
