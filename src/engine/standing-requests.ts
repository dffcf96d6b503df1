import type { ChangeNotice } from '../call/notifier.ts';
import { Changes } from '../runtime/changes.ts';
import { clientOf2026, type ServedClient } from '../runtime/service-request.ts';
import type { McpService } from '../runtime/service.ts';
import { jsonRpcCodes } from './json-rpc/json-rpc-error.ts';
import type { Reply } from './json-rpc/message.ts';
import type { StandingRequest } from './request.ts';

/** A client that keeps more requests open is one that forgets to end them. */
const MOST = 1000;
const FULL: Reply = {
  error: {
    code: jsonRpcCodes.serverError,
    message: `This connection has reached its limit of ${String(MOST)} subscriptions`,
  },
};

interface Standing {
  readonly request: StandingRequest;
  readonly close: () => void;
}

/** The requests of one connection that stay open (spec 2026-07-28: basic/utilities/subscriptions). */
export class StandingRequests {
  /** Whose requests may stay open here. */
  readonly client: ServedClient;
  readonly #changes: Changes;
  readonly #standing = new Map<unknown, Standing>();

  constructor(service: McpService) {
    this.#changes = new Changes(service);
    this.client = clientOf2026(this.#changes);
  }

  tell(change: ChangeNotice): void {
    this.#changes.tell(change);
  }

  /** Opens one, which writes from then on. @returns its reply, if it does not stay open */
  open(request: StandingRequest, write: (notification: object) => void): Reply | undefined {
    if (this.#standing.size >= MOST) return FULL;
    const close = request.open(write);
    if (close === undefined) return request.end;
    this.#standing.set(request.id, { request, close });
    return undefined;
  }

  /** Its client wants no more. */
  close(id: unknown): void {
    this.#standing.get(id)?.close();
    this.#standing.delete(id);
  }

  /** Nothing is written any more. @returns those that were open */
  closeAll(): readonly StandingRequest[] {
    const open = [...this.#standing.values()];
    for (const { request } of open) this.close(request.id);
    return open.map(({ request }) => request);
  }
}
