import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { OnceStore } from './once-store.ts';
import type { Secret } from './request-states.ts';

/** How clients of 2026-07-28 are asked, who answer by calling again. */
export interface QuestionSettings {
  /**
   * Random texts or bytes of 32 bytes or more (`openssl rand -base64 32`) that only the instances of this server know;
   * other servers have others. What a call did and heard so far is sealed with the first and opened with all of them.
   * Default: a random one, with which questions can be answered in the same process only.
   */
  readonly secrets?: readonly Secret[];
  /** Remembers which questions were answered; instances share one. Default: a `MemoryOnceStore`. */
  readonly onceStore?: OnceStore;
  /** Milliseconds that a client has to answer. Default 10 minutes. */
  readonly questionLifetime?: number;
}

const SHORTEST_SECRET = 32;

/** @throws ToolwrightError TW_QUESTION_OPTION for a value that an option cannot have. */
export function checkQuestionSettings(
  where: string,
  { secrets, onceStore, questionLifetime }: QuestionSettings,
): void {
  if (secrets !== undefined && !isSecretList(secrets)) {
    throw wrong(
      where,
      'secrets',
      `an array of texts or Uint8Arrays of at least ${String(SHORTEST_SECRET)} bytes`,
    );
  }
  if (onceStore !== undefined && !isOnceStore(onceStore)) {
    throw wrong(where, 'onceStore', 'an object with the methods add and replace of OnceStore');
  }
  if (questionLifetime !== undefined && !(Number.isFinite(questionLifetime) && questionLifetime > 0)) {
    throw wrong(where, 'questionLifetime', 'a number of milliseconds above 0');
  }
}

function isSecretList(secrets: unknown): boolean {
  return Array.isArray(secrets) && secrets.length > 0 && secrets.every(isSecret);
}

function isSecret(secret: unknown): boolean {
  if (typeof secret === 'string') return Buffer.byteLength(secret) >= SHORTEST_SECRET;
  return secret instanceof Uint8Array && secret.length >= SHORTEST_SECRET;
}

function isOnceStore(store: unknown): boolean {
  const { add, replace } = (store ?? {}) as Partial<OnceStore>;
  return typeof add === 'function' && typeof replace === 'function';
}

/** It names the option and never the value: a secret must not get into a log. */
function wrong(where: string, option: string, wanted: string): ToolwrightError {
  return new ToolwrightError('TW_QUESTION_OPTION', {
    where,
    what: `got a value for "${option}" that it cannot have.`,
    fix: `${option}: ${wanted}`,
  });
}
