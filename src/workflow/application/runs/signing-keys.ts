import { randomBytes } from 'node:crypto';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { OnceMade } from '../../../shared/once-made.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { SigningKey } from './run-token.ts';

type SigningKeyList = readonly [SigningKey, ...SigningKey[]];

const KEPT_NAME = 'signing-key';
const KEY_BYTES = 32;
const LEAST_BYTES = 16;

/** The keys of tokens: those that were configured, or else one that is made once and kept in the store. */
export class SigningKeys {
  readonly #store: Pick<RunStore, 'keep'>;
  readonly #configured: readonly SigningKey[];
  readonly #kept = new OnceMade(() => this.#keep());

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` for keys that are alike or too short. */
  constructor(store: Pick<RunStore, 'keep'>, configured: readonly SigningKey[] = []) {
    this.#store = store;
    this.#configured = configured;
    checkKeys(configured);
  }

  /** The first one signs, all of them count. */
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
