import { Buffer } from 'node:buffer';
import { INVALID_PARAMS, ProtocolError } from '../call/protocol-error.ts';
import { ownedName } from '../call/subject.ts';
import type { Call } from '../kernel/call/call.ts';
import { isPlainObject, parseJson } from '../shared/json.ts';
import { createKeyring, type Keyring, type Secrets } from '../shared/sealed-text.ts';

/** Characters of a state that a server gives to a call. */
export const MAX_STATE_LENGTH = 16 * 1024;
/** A sealed one is longer. */
const MAX_SEALED_LENGTH = 2 * MAX_STATE_LENGTH;

/** Seals what another server wants to get back with the answers to its questions, for the same call of the same caller. */
export class RelayedStates {
  readonly #keyring: Keyring;
  readonly #proxy: string;

  /** @param proxy the name of the server: a state of another one is refused */
  constructor(secrets: Secrets | undefined, server: string, proxy: string) {
    this.#keyring = createKeyring(secrets, `proxy:${server}`);
    this.#proxy = proxy;
  }

  seal(call: Call, target: string, state: string): string {
    return this.#keyring.seal(Buffer.from(JSON.stringify([...this.#place(call, target), state])));
  }

  /** @throws ProtocolError for a state that was not given to this caller, for this server, method and target */
  open(call: Call, target: string, sealed: string): string {
    const bytes = sealed.length > MAX_SEALED_LENGTH ? undefined : this.#keyring.open(sealed);
    const content = bytes === undefined ? undefined : parseJson(Buffer.from(bytes).toString());
    const place = this.#place(call, target);
    if (Array.isArray(content) && place.every((part, index) => content[index] === part))
      return String(content[place.length]);
    throw new ProtocolError(INVALID_PARAMS, 'The requestState was not given for this request');
  }

  #place({ authInfo, origin }: Call, target: string): readonly (string | null)[] {
    return [this.#proxy, origin.method, target, authInfo === undefined ? null : ownedName(authInfo)];
  }
}

/** What a result asks of its caller; undefined for a result that is the end. */
export function readQuestions(
  result: Readonly<Record<string, unknown>>,
): { readonly requests: Readonly<Record<string, unknown>>; readonly state: string | undefined } | undefined {
  if (result['resultType'] !== 'input_required') return undefined;
  const { inputRequests, requestState } = result;
  return {
    requests: isPlainObject(inputRequests) ? inputRequests : {},
    state: typeof requestState === 'string' ? requestState : undefined,
  };
}
