import { ownerOf } from '../../call/subject.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { failureOf } from '../outcome.ts';
import { RunningCalls } from '../service.ts';
import type { OwnedStore } from './owned-stores.ts';

const ENDED = 'The call was ended, because the data of its caller is removed';

/** What is open in this process: calls that run, and the connections of callers who are known. */
export class OpenWork extends RunningCalls {
  /** Stores that belong to connections. */
  readonly stores = new Set<OwnedStore>();
  readonly #connections = new Map<() => void, string>();

  /** A connection. @returns what is to be called when it has ended by itself */
  add(owner: string, end: () => void): () => void {
    this.#connections.set(end, owner);
    return () => this.#connections.delete(end);
  }

  /** Ends all of an owner. @returns how many there were */
  endOf(owner: string): { readonly calls: number; readonly connections: number } {
    const reason = new ProtocolError(INTERNAL_ERROR, ENDED, { code: 'CANCELLED' });
    const calls = this.cancelThose(
      ({ origin }) => ownerOf(origin.context.authInfo) === owner,
      reason,
      failureOf(reason),
    );
    const ends = [...this.#connections].flatMap(([end, of]) => (of === owner ? [end] : []));
    for (const end of ends) {
      this.#connections.delete(end);
      end();
    }
    return { calls, connections: ends.length };
  }
}
