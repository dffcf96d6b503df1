import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { builtin } from '../../../shared/platform.ts';
import type { Logger } from '../../../call/logger.ts';
import { ToolwrightError } from '../../../errors/toolwright-error.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from '../../../call/protocol-error.ts';
import type { CallProgress, JournalEntry } from './journal.ts';
import { createKeyring, type Keyring, type Secrets } from '../../../shared/sealed-text.ts';

/** What a client carries from one round of a call to the next, sealed. */
export interface RequestState extends CallProgress {
  /** Unique; each round has its own. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** Caller and target; only they can use the state. */
  readonly origin: string;
  /** Counts the times that the client was asked in this call. */
  readonly round: number;
}

interface RequestStateOptions {
  /** The server's name; another server with the same secrets cannot open the state. */
  readonly server: string;
  /** Default: a random one, which lives as long as the process. */
  readonly secrets: Secrets | undefined;
  /** Milliseconds. */
  readonly lifetime: number;
  readonly logger: Logger | undefined;
  readonly now: () => number;
}

const LARGEST_JOURNAL = 256 * 1024;
/** More than any issued state; longer ones are not even decoded. */
const LONGEST_STATE = 2 * LARGEST_JOURNAL;

/** Seals the progress of a call for the client to send back (spec 2026-07-28: basic/patterns/mrtr). */
export class RequestStates {
  readonly #options: RequestStateOptions;
  readonly #keyring: Keyring;
  #isRandomKeyKnown: boolean;

  constructor(options: RequestStateOptions) {
    this.#options = options;
    this.#keyring = createKeyring(options.secrets, `request-state:${options.server}`);
    this.#isRandomKeyKnown = options.secrets !== undefined;
  }

  /** @throws ToolwrightError TW_JOURNAL_SIZE */
  seal(origin: string, round: number, { journal, open }: CallProgress): string {
    this.#tellRandomKey();
    checkSize(journal);
    const expires = this.#options.now() + this.#options.lifetime;
    const state: RequestState = { id: randomUUID(), expires, origin, round, open, journal };
    return this.#keyring.seal(pack(state));
  }

  /** @throws ProtocolError for a state that is expired, changed, or not of this origin. */
  open(sealed: string, origin: string): RequestState {
    const content = sealed.length > LONGEST_STATE ? undefined : this.#keyring.open(sealed);
    if (content === undefined)
      throw this.#refused('it was changed, or sealed with another secret', invalidState());
    const state = unpack(content) as RequestState;
    if (state.origin !== origin) throw this.#refused('it belongs to another call or caller', invalidState());
    if (this.isOver(state)) throw this.#refused('it is expired', expiredState());
    return state;
  }

  isOver({ expires }: RequestState): boolean {
    return this.#options.now() >= expires;
  }

  /** Milliseconds for which it must be remembered that a state was answered. */
  memoryOf({ expires }: RequestState): number {
    return expires - this.#options.now() + this.#options.lifetime;
  }

  #refused(reason: string, error: Error): Error {
    const message = `A requestState was refused: ${reason}.`;
    this.#options.logger?.log({ level: 'notice', event: 'question.state-refused', message });
    return error;
  }

  #tellRandomKey(): void {
    if (this.#isRandomKeyKnown) return;
    this.#isRandomKeyKnown = true;
    const message =
      'Questions cannot be answered on another instance or after a restart; set `secrets` for that.';
    this.#options.logger?.log({ level: 'info', event: 'question.random-key', message });
  }
}

function checkSize(journal: readonly JournalEntry[]): void {
  const sizes = journal.map((entry) => Buffer.byteLength(JSON.stringify(entry)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= LARGEST_JOURNAL) return;
  const most = Math.max(...sizes);
  const largest = journal[sizes.indexOf(most)];
  throw new ToolwrightError('TW_JOURNAL_SIZE', {
    where: largest === undefined ? 'a call' : `${largest.kind} "${largest.name}"`,
    what: `has ${String(most)} of the ${String(total)} bytes that a call has to remember while it asks.`,
    why: `the client has to carry them, and the limit is ${String(LARGEST_JOURNAL)}.`,
    fix: 'return an id or a summary from the step, and store the rest on the server',
  });
}

/** What is smaller gains nothing. */
const WORTH_COMPRESSING = 2048;
/** Compressed content is padded: its length would reveal how much of it repeats what the client sent. */
const BLOCK = 256;
const [PLAIN, DEFLATED] = [0, 1];

/** JSON as bytes, compressed if it is large and the runtime can do so. */
export function pack(value: unknown): Uint8Array {
  return packJson(JSON.stringify(value));
}

/** Does this for a value that is JSON already. */
export function packJson(json: string): Uint8Array {
  const content = Buffer.from(json);
  const zlib = content.length < WORTH_COMPRESSING ? undefined : builtin('node:zlib');
  if (zlib === undefined) return Buffer.concat([Buffer.of(PLAIN), content]);
  const deflated = zlib.deflateRawSync(content);
  const filling = Buffer.alloc(BLOCK - ((deflated.length + 1) % BLOCK));
  return Buffer.concat([Buffer.of(DEFLATED), deflated, filling]);
}

/** The value that {@link pack} was given. */
export function unpack(bytes: Uint8Array): unknown {
  const content = bytes.subarray(1);
  const zlib = bytes[0] === DEFLATED ? builtin('node:zlib') : undefined;
  // Inflating ends with the stream, whatever it was filled up with.
  return JSON.parse((zlib?.inflateRawSync(content) ?? Buffer.from(content)).toString());
}

/** Does not say which check failed; only the log does. */
export function invalidState(): ProtocolError {
  return refusal('Invalid requestState: it was not given out for this request');
}

export function expiredState(): ProtocolError {
  return refusal('Invalid requestState: the time to answer is over');
}

export function answeredState(): ProtocolError {
  return refusal('Invalid requestState: the questions were answered before, in another way');
}

export function forgottenOutcome(): ProtocolError {
  const message =
    'Invalid requestState: the questions were answered before, and the result is not kept. ' +
    'The call was done; do not repeat it';
  return new ProtocolError(INVALID_PARAMS, message);
}

/** Seconds. */
const RETRY_AFTER = 5;

/** The same request may be sent again: its answers did not count yet. */
export function storeIsAway(): ProtocolError {
  const message = 'The server cannot take an answer now; send the same request again later';
  return new ProtocolError(INTERNAL_ERROR, message, { code: 'TRY_AGAIN_LATER', retryAfter: RETRY_AFTER });
}

export function isStoreAway({ data }: ProtocolError): boolean {
  return data?.['code'] === 'TRY_AGAIN_LATER';
}

function refusal(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${reason}; call again without it`);
}
