import { randomBytes } from 'node:crypto';
import { ToolwrightError, type AuthInfo, type TokenVerifier } from '../index.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { describeValue } from '../shared/describe-value.ts';
import { aFunction, required, rule, type OptionRules } from '../shared/option-rules.ts';
import { refused } from './claims.ts';
import { hashToken } from './token-cache.ts';

/** What is stored of a key: its hash instead of itself, and whom it stands for. */
export interface ApiKey {
  /** The client that the key was given to. */
  readonly clientId: string;
  /** The person, where there is one. */
  readonly sub?: string;
  /** The tenant, where there are several. */
  readonly tenant?: string;
  /** What it permits. Default: nothing. */
  readonly scopes?: readonly string[];
  /** The roles of its owner. Default: none. */
  readonly roles?: readonly string[];
  /** Seconds since the epoch. Default: it does not expire. */
  readonly expiresAt?: number;
  /** Whether it counts no more. Default false. */
  readonly isRevoked?: boolean;
}

/** Options of {@link apiKeys}. */
export interface ApiKeyOptions {
  /** Finds what is stored under a hash that {@link hashApiKey} made. */
  readonly find: (hash: string) => ApiKey | undefined | Promise<ApiKey | undefined>;
  /** How every key begins, so that it is known from other tokens: `tasks_`. Default: every token is looked up. */
  readonly prefix?: string;
}

const prefixRule = rule(
  'letters, digits, hyphens and underscores',
  (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
);

export const API_KEY_RULES: OptionRules<ApiKeyOptions> = { find: required(aFunction), prefix: prefixRule };

/** Characters of a key without its prefix: 128 bits in base64url. */
const MIN_KEY_LENGTH = 22;

/**
 * Looks up API keys by their hashes. They come as a bearer token or in the header `X-API-Key`. A key has at least 22
 * characters after its prefix; a shorter one is refused without a look-up, and the log says so.
 *
 * @throws ToolwrightError `TW_APPLICATION_OPTION`
 * @example
 * const { key, hash } = createApiKey('tasks_');
 * const stored = new Map([[hash, { clientId: 'reports', scopes: ['tasks:read'] }]]);
 * const verify = apiKeys({ prefix: 'tasks_', find: (each) => stored.get(each) });
 */
export function apiKeys(options: ApiKeyOptions): TokenVerifier {
  refuseOptions('TW_APPLICATION_OPTION', 'apiKeys()', options, API_KEY_RULES);
  const { find, prefix } = options;
  return Object.freeze({
    header: 'x-api-key',
    ...(prefix === undefined ? {} : { recognizes: (token: string) => token.startsWith(prefix) }),
    verify: async (key: string): Promise<AuthInfo> => {
      const fault = faultOfKey(key, prefix);
      if (fault !== undefined) throw refused(undefined, fault);
      return callerOf(key, await find(hashToken(key)));
    },
  });
}

function faultOfKey(key: string, prefix = ''): string | undefined {
  if (!key.startsWith(prefix)) return `the API key does not begin with ${prefix}`;
  if (key.length - prefix.length >= MIN_KEY_LENGTH) return undefined;
  const counted = prefix === '' ? '' : `, ${prefix} not counted`;
  return `the API key has fewer than ${MIN_KEY_LENGTH} characters${counted}`;
}

function callerOf(token: string, found: ApiKey | undefined): AuthInfo {
  if (found === undefined) throw refused(undefined, 'no API key is stored under its hash');
  if (found.isRevoked === true) throw refused(undefined, 'the API key is revoked');
  const { clientId, scopes = [], roles = [], sub, tenant, expiresAt } = found;
  return deepFreeze({
    token,
    clientId,
    scopes: [...scopes],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    extra: {
      roles: [...roles],
      ...(sub === undefined ? {} : { sub }),
      ...(tenant === undefined ? {} : { tenant }),
    },
  });
}

/**
 * What is stored of a key, and looked up.
 *
 * @throws ToolwrightError `TW_AUTH_KEY` for a key of fewer than 22 characters, which others could guess
 */
export function hashApiKey(key: string): string {
  const given = typeof key === 'string' ? `a text of ${String(key.length)} characters` : describeValue(key);
  if (typeof key === 'string' && key.length >= MIN_KEY_LENGTH) return hashToken(key);
  throw new ToolwrightError('TW_AUTH_KEY', {
    where: 'hashApiKey()',
    what: `was given ${given}, which is not an API key.`,
    why: `a key of fewer than ${String(MIN_KEY_LENGTH)} characters can be guessed, and apiKeys() refuses it.`,
    fix: "make one: node -e \"console.log(require('node:crypto').randomBytes(32).toString('base64url'))\"",
  });
}

/** A new key of 256 random bits, which is shown once, and the hash to store. */
export function createApiKey(prefix = ''): { readonly key: string; readonly hash: string } {
  const key = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashApiKey(key) };
}
