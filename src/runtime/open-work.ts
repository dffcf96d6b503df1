import { ownerOf } from '../call/subject.ts';
import { INTERNAL_ERROR, ProtocolError } from '../call/protocol-error.ts';
import { failureOf } from '../kernel/call/outcome.ts';
import { RunningCalls } from './service.ts';
import type { OpenForOwners } from '../kernel/call/service-request.ts';
import type { OwnedStore } from '../shared/owners/owned-key.ts';

const ENDED = 'The call was ended, because the data of its caller is removed';

/** The calls and connections of one process. */
export class OpenWork extends RunningCalls implements OpenForOwners {
  readonly stores = new Set<OwnedStore>();
  readonly #connections = new Map<() => void, string>();

  add(owner: string, end: () => void): () => void {
    this.#connections.set(end, owner);
    return () => this.#connections.delete(end);
  }

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
