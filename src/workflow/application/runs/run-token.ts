import { randomBytes } from 'node:crypto';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import {
  either,
  filledText,
  listOf,
  objectOf,
  required,
  rule,
  secret as secretRule,
  text as textRule,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import { membersOf, parseJson } from '../../../shared/json.ts';
import { OnceMade } from '../../../shared/once-made.ts';
import { isSameText, signatureOf, type Secret } from '../../../shared/sealed-text.ts';
import type { RunStore } from '../ports/run-store.ts';

/** A key that signs the tokens of views. */
export interface SigningKey {
  /** Identifies the key; not a secret. */
  readonly id: string;
  /** Text or bytes known only to the instances of one service, such as 32 random bytes. */
  readonly secret: Secret;
}

const KEY_RULES: OptionRules<SigningKey> = {
  id: required(textRule),
  secret: required(
    either(
      filledText,
      rule('bytes', (value) => value instanceof Uint8Array),
    ),
  ),
};

/** Hides the value: a secret passed in place of a key must not end up in a log. */
export const signingKeysRule = listOf(
  secretRule(objectOf(KEY_RULES)),
  "a list of keys: [{ id: '2026', secret: '…' }]",
);

interface TokenClaims {
  readonly runId: string;
  readonly seq: number;
}

/** `<base64url JSON {kid,runId,seq}>.<base64url HMAC-SHA256 of the text before the dot>` */
export function signToken({ id: kid, secret }: SigningKey, { runId, seq }: TokenClaims): string {
  const payload = Buffer.from(JSON.stringify({ kid, runId, seq })).toString('base64url');
  return `${payload}.${tagOf(payload, secret)}`;
}

/** The claims of a token; undefined unless one of the keys signed it. */
export function readToken(keys: readonly SigningKey[], token: string): TokenClaims | undefined {
  const [payload = '', signature = '', ...rest] = token.split('.');
  const claims = membersOf(parseJson(Buffer.from(payload, 'base64url').toString()));
  const key = keys.find(({ id }) => id === claims['kid']);
  if (key === undefined || rest.length > 0) return undefined;
  if (!isSameText(signature, tagOf(payload, key.secret))) return undefined;
  return { runId: claims['runId'] as string, seq: claims['seq'] as number };
}

function tagOf(payload: string, secret: Secret): string {
  return signatureOf(payload, secret).toString('base64url');
}

type SigningKeyList = readonly [SigningKey, ...SigningKey[]];

const KEPT_NAME = 'signing-key';
const KEY_BYTES = 32;
const LEAST_BYTES = 16;

/** The keys of tokens: the configured ones, or one that is generated once and kept in the store. */
export class SigningKeys {
  readonly #store: Pick<RunStore, 'keep'>;
  readonly #configured: readonly SigningKey[];
  readonly #kept = new OnceMade(() => this.#keep());

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` for duplicate keys and for keys that are too short. */
  constructor(store: Pick<RunStore, 'keep'>, configured: readonly SigningKey[] = []) {
    this.#store = store;
    this.#configured = configured;
    checkKeys(configured);
  }

  /** The first signs; all of them verify. */
  async all(): Promise<SigningKeyList> {
    const [first, ...others] = this.#configured;
    if (first !== undefined) return [first, ...others];
    return this.#kept.get();
  }

  async #keep(): Promise<SigningKeyList> {
    const secret = await this.#store.keep(KEPT_NAME, randomBytes(KEY_BYTES).toString('base64url'));
    return [{ id: 'kept', secret }];
  }
}

function checkKeys(keys: readonly SigningKey[]): void {
  const fault = keys.flatMap(({ id, secret }, index) => {
    if (keys.findIndex((key) => key.id === id) !== index) return [`two keys have the id "${id}"`];
    return Buffer.byteLength(secret) < LEAST_BYTES
      ? [`key "${id}" is shorter than ${LEAST_BYTES} bytes`]
      : [];
  })[0];
  if (fault === undefined) return;
  throw new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'signingKeys',
    message: `The signing keys cannot be used: ${fault}.`,
  });
}
