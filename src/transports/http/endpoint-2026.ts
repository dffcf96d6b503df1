import type { SurfaceChange } from '../../call/notifier.ts';
import { notificationFault } from '../../engine/revisions/2026-07-28/revision-2026.ts';
import { idOf } from '../../engine/json-rpc/message.ts';
import { jsonRpcCodes } from '../../engine/json-rpc/json-rpc-error.ts';
import type { ServerSurface } from '../../engine/dispatcher.ts';
import type { AdmittedRequest, EraEndpoint } from './admitted-request.ts';
import type { HeaderReader } from '../../engine/revision.ts';
import { type HttpAnswer, type PlainAnswer, HttpRefusal, isStopping } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import { StatelessRequests } from './stateless-requests.ts';
import { SubscriptionStreams } from './streams/subscription-streams.ts';

const ACCEPTED: PlainAnswer = Object.freeze({ status: 202, headers: Object.freeze({}), text: '' });

/**
 * Clients of 2026-07-28 (spec: basic/transports/streamable-http): every request stands for itself, and closing its
 * response cancels it.
 */
export class Endpoint2026 implements EraEndpoint {
  readonly direct: StatelessRequests;
  readonly #surface: ServerSurface;
  readonly #subscriptions: SubscriptionStreams;
  #isClosed = false;

  constructor(surface: ServerSurface, settings: HttpSettings) {
    this.#surface = surface;
    this.direct = new StatelessRequests('2026', surface, settings);
    this.#subscriptions = new SubscriptionStreams(settings);
  }

  async serve(admitted: AdmittedRequest): Promise<HttpAnswer> {
    const { request, posted } = admitted;
    const body = posted?.body;
    if (this.#isClosed) throw isStopping(idOf(body));
    const call = this.direct.find(body, request);
    if (call === undefined) return accept(body, request.headers);
    return 'kind' in call && call.kind === 'standing'
      ? this.#subscriptions.open(call, admitted)
      : this.direct.begin(call, admitted);
  }

  /** Reaches the open subscriptions. */
  notify(change: SurfaceChange): void {
    // What was switched off since a client subscribed is hidden from it altogether.
    if (change.kind === 'resource' && this.#surface.service.resources?.knows(change.uri) === false) return;
    this.#subscriptions.notify(change);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.direct.close();
    this.#subscriptions.close();
    return Promise.resolve();
  }
}

/** What expects no answer is welcome, if it says truly what it is. */
function accept(body: unknown, headers: HeaderReader): PlainAnswer {
  if (Array.isArray(body)) {
    throw new HttpRefusal(400, 'Invalid request: batches ended before 2026-07-28', {
      code: jsonRpcCodes.invalidRequest,
    });
  }
  const fault = notificationFault(body, headers);
  if (fault === undefined) return ACCEPTED;
  const { message, ...others } = fault;
  throw new HttpRefusal(400, message, others);
}
