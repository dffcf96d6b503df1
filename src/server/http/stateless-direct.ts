import { isModernRevision, type ProtocolEra } from '../../shared/protocol-era.ts';
import type { CallCount } from '../call-count.ts';
import type { DirectCall } from '../direct/direct-call.ts';
import type { DirectDoor, ServerSurface } from '../server-surface.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { HeaderReader } from './header-reader.ts';
import { JSON_TYPE, type HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { KnownAnswer } from './known-answer.ts';
import { Patience } from './patience.ts';
import { StatelessCall, type StatelessDoor, type StatelessGiven } from './stateless-call.ts';

/** What SDK v1 knows and a client of 2025 may name; of any other revision, the SDK says whether it is served. */
const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Milliseconds after which a client that waits gets a stream, whose comments keep the connection open. */
const PATIENCE = 1000;

/** Answers requests that stand for themselves without an SDK, if they have the form that clients give them. */
export class StatelessDirect implements StatelessDoor {
  readonly era: ProtocolEra;
  readonly counts: readonly CallCount[];
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly #door: DirectDoor | undefined;
  readonly #surface: ServerSurface;
  readonly #running: Patience<StatelessCall>;

  constructor(era: ProtocolEra, surface: ServerSurface, settings: HttpSettings) {
    this.era = era;
    this.settings = settings;
    this.counts = surface.direct?.counts ?? [];
    this.#running = new Patience(era === 'legacy' ? PATIENCE : Infinity);
    this.#door = surface.direct;
    this.#surface = surface;
  }

  /** Undefined for what has to go to the SDK. */
  serve({ request, posted, authInfo, unread }: AdmittedRequest): Promise<HttpAnswer> | undefined {
    if (posted === undefined || !this.#isPlain(request.headers)) return undefined;
    const call = this.find(posted.body, request);
    if (call === undefined) return undefined;
    request.onDirect?.(this.era);
    return new Promise((begin) => {
      this.answer(call, { request, authInfo, unread, begin });
    });
  }

  /** The same without a look at headers that were found good before. */
  find(body: unknown, request: HttpRequest): DirectCall | undefined {
    return this.#door?.dispatcher.find(this.era, body, request);
  }

  answer(call: DirectCall, given: StatelessGiven): void {
    if (call.known !== undefined) {
      given.begin(new KnownAnswer(call.known, call.request.id));
      return;
    }
    const running = new StatelessCall(this, call, given);
    this.#running.watch(running);
    running.run();
  }

  /** Told before an answer is sent. */
  settle(call: StatelessCall): void {
    this.#running.forget(call);
  }

  /** Aborts what runs. */
  close(): void {
    const running = this.#running.all();
    this.#running.close();
    for (const call of running) call.end();
  }

  #isPlain(headers: HeaderReader): boolean {
    const version = headers.get('mcp-protocol-version');
    if (this.era === 'modern') return version !== null && isModernRevision(version);
    const accept = headers.get('accept') ?? '';
    return (
      accept.includes(JSON_TYPE) &&
      accept.includes('text/event-stream') &&
      (version === null || LEGACY_REVISIONS.includes(version))
    );
  }

  readonly report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}
