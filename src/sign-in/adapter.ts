import type { ProviderModule } from './peers.ts';
import { StoreUnavailable, type Records } from './records.ts';
import type { Registrations } from './registrations.ts';

/** What oidc-provider stores of one thing. */
interface Payload {
  readonly [name: string]: unknown;
  readonly exp?: number;
  /** When it was used first, in seconds. */
  readonly consumed?: number;
  /** How often a refresh was repeated. */
  readonly repeated?: number;
}

export interface AdapterPlace {
  readonly records: Records;
  /** Undefined where clients may not register: those that did before are strangers again. */
  readonly registrations: Registrations | undefined;
  readonly errors: ProviderModule['errors'];
  /** Milliseconds for which a refresh may be repeated. */
  readonly refreshGrace: number;
  /** A grant is over, however. */
  ended(grantId: string): Promise<void>;
}

const MAX_REPETITIONS = 5;
const MAX_CHANGES = 20;

/** The storage of oidc-provider over our records, for one kind of things. */
export class Adapter {
  readonly #name: string;
  readonly #place: AdapterPlace;

  constructor(name: string, place: AdapterPlace) {
    this.#name = name;
    this.#place = place;
  }

  async upsert(id: string, payload: Payload, expiresIn: number): Promise<void> {
    // A registration is its own id, and a browser is known for the time of one sign-in only
    if (this.#name === 'Client' || this.#name === 'Session') return;
    const isOnce = this.#name === 'ReplayDetection';
    const isWritten = await this.#ask(() =>
      this.#place.records.put(this.#name, id, payload, {
        ttl: expiresIn * 1000,
        isSpare: this.#name === 'Interaction',
        ...(isOnce && { if: 'absent' as const }),
      }),
    );
    if (!isWritten) throw new this.#place.errors.InvalidGrant('used before');
  }

  async find(id: string): Promise<Payload | undefined> {
    if (this.#name === 'Client') return this.#place.registrations?.open(id);
    if (this.#name === 'Session') return undefined;
    const found = await this.#ask(() => this.#place.records.get<Payload>(this.#name, id));
    return found && this.#asUnused(found.value);
  }

  async findByUid(): Promise<undefined> {
    // Of sessions only, which are not kept
  }

  async findByUserCode(): Promise<undefined> {
    // Of devices only, which do not sign in here
  }

  async destroy(id: string): Promise<void> {
    if (this.#name === 'Client' || this.#name === 'Session') return;
    await this.#ask(() => this.#place.records.remove(this.#name, id));
    if (this.#name === 'Grant') await this.#place.ended(id);
  }

  /** Of all who use it at once, one may; a refresh may be repeated for a while, since clients do so. */
  async consume(id: string): Promise<void> {
    const { records, errors } = this.#place;
    for (let n = 0; n < MAX_CHANGES; n += 1) {
      const found = await this.#ask(() => records.get<Payload>(this.#name, id));
      if (found === undefined) throw new errors.InvalidGrant('not found');
      const { value, version } = found;
      const used = this.#used(value);
      const ttl = (value.exp ?? 0) * 1000 - Date.now();
      if (await this.#ask(() => records.put(this.#name, id, used, { ttl, if: version }))) return;
    }
    throw new errors.TemporarilyUnavailable('too many uses at once');
  }

  async revokeByGrantId(): Promise<void> {
    // Without its grant, nothing works
  }

  #used(value: Payload): Payload {
    const { errors } = this.#place;
    if (value.consumed === undefined) return { ...value, consumed: Math.floor(Date.now() / 1000) };
    if (this.#name !== 'RefreshToken') throw new errors.InvalidGrant('used before');
    const repeated = (value.repeated ?? 0) + 1;
    if (repeated > MAX_REPETITIONS) throw new errors.TemporarilyUnavailable('refreshed too often');
    return { ...value, repeated };
  }

  #asUnused(value: Payload): Payload {
    if (this.#name !== 'RefreshToken' || value.consumed === undefined) return value;
    const age = Date.now() - value.consumed * 1000;
    if (age >= this.#place.refreshGrace) return value;
    const { consumed: _, ...unused } = value;
    return unused;
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new this.#place.errors.TemporarilyUnavailable('the store cannot be reached');
    }
  }
}
