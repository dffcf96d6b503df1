import type { AuthInfo } from '../../call/request-context.ts';
import { membersOf } from '../../shared/json.ts';

/**
 * A caller whose token has been verified. The token can be read by its name only: a copy of the object, its JSON and
 * what is printed of it do without.
 */
export class VerifiedCaller implements AuthInfo {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly #token: string;

  constructor({
    token,
    clientId,
    scopes = [],
    expiresAt,
    extra,
  }: Omit<AuthInfo, 'scopes'> & Partial<AuthInfo>) {
    this.#token = token;
    this.clientId = clientId;
    this.scopes = Object.freeze([...scopes]);
    if (expiresAt !== undefined) this.expiresAt = expiresAt;
    if (extra !== undefined) this.extra = Object.freeze({ ...extra });
    Object.freeze(this);
  }

  get token(): string {
    return this.#token;
  }
}

/** What is missing in what a verifier gave; undefined for a caller. One that names no scopes has none. */
export function faultOfCaller(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'an object';
  const { token, clientId, scopes, expiresAt, extra } = value as Readonly<Record<string, unknown>>;
  if (typeof token !== 'string') return 'a token';
  if (typeof clientId !== 'string') return 'a client id';
  if (scopes !== undefined && !isListOfTexts(scopes)) return 'a list of scopes';
  const odd = NAMES.find((name) => !isTextOrNothing(membersOf(extra)[name]));
  if (odd !== undefined) return `a text as extra.${odd}`;
  return expiresAt === undefined || Number.isFinite(expiresAt) ? undefined : 'a number as expiresAt';
}

/** The names of a subject: the number 1 and the text '1' would be one person. */
const NAMES = ['issuer', 'sub', 'tenant'] as const;

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
