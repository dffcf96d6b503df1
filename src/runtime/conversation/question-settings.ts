import {
  objectWith,
  positiveMilliseconds,
  rule,
  secret,
  type OptionRules,
} from '../../shared/option-rules.ts';
import type { OnceStore } from './once-store.ts';
import type { Secret } from './keyring.ts';

/** How clients of 2026-07-28 are asked, who answer by calling again. */
export interface QuestionSettings {
  /**
   * Random texts or bytes of 32 bytes or more (`openssl rand -base64 32`) that only the instances of this server know;
   * other servers have others. What a call did and heard so far, and the cursors of pages, are sealed with the first and
   * opened with all of them. Default: a random one, so that both count in the same process only.
   */
  readonly secrets?: readonly Secret[];
  /** Remembers which questions were answered; instances share one. Default: a `MemoryOnceStore`. */
  readonly onceStore?: OnceStore;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly questionLifetime?: number;
}

const SHORTEST_SECRET = 32;

export const QUESTION_RULES: OptionRules<QuestionSettings> = {
  secrets: secret(
    rule(
      `a list of texts or Uint8Arrays of at least ${String(SHORTEST_SECRET)} bytes`,
      (value) => Array.isArray(value) && value.length > 0 && value.every(isSecret),
    ),
  ),
  onceStore: objectWith('a once store', 'add', 'replace'),
  questionLifetime: positiveMilliseconds,
};

function isSecret(secret: unknown): boolean {
  if (typeof secret === 'string') return Buffer.byteLength(secret) >= SHORTEST_SECRET;
  return secret instanceof Uint8Array && secret.length >= SHORTEST_SECRET;
}
