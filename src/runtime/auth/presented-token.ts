import type { AuthInfo } from '../../call/request-context.ts';
import { ownerOf } from '../../call/subject.ts';
import type { TokenRequest } from '../../metadata/token-verifier.ts';
import { ownedKey } from '../../shared/owners/owned-key.ts';
import { ONCE } from '../replay/answer-once.ts';
import { InMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';

/** What a request brings to say who calls. */
export interface Credentials {
  readonly method: string;
  /** A header by its name in lower case, as it was sent; several of one name with commas between. */
  sentHeader(name: string): string | null;
}

/** Texts that count once, for all instances that share a store. */
export class FirstTexts {
  #store: Store | undefined;

  /** @param store undefined for the memory of this process */
  keepIn(store: Store | undefined): void {
    this.#store = store;
  }

  /** @throws RangeError where the store has no room, and what the store throws */
  async isFirst(text: string, ttl: number, caller: AuthInfo): Promise<boolean> {
    const store = (this.#store ??= new InMemoryStore());
    const owner = ownerOf(caller);
    const write = { value: '', ttl, if: 'absent', share: { owner } } as const;
    const written = await store.put(ONCE, ownedKey(owner, `first:${text}`), write);
    if ('full' in written) throw new RangeError('The store has no room for what counts once');
    return 'version' in written;
  }
}

/** A token with the request that brought it. */
export class PresentedToken implements TokenRequest {
  readonly scheme: string;
  readonly #credentials: Credentials;
  readonly #texts: FirstTexts;

  constructor(scheme: string, credentials: Credentials, texts: FirstTexts) {
    this.scheme = scheme;
    this.#credentials = credentials;
    this.#texts = texts;
  }

  get method(): string {
    return this.#credentials.method;
  }

  sentHeader(name: string): string | null {
    return this.#credentials.sentHeader(name);
  }

  isFirst(text: string, ttl: number, caller: AuthInfo): Promise<boolean> {
    return this.#texts.isFirst(text, ttl, caller);
  }
}
