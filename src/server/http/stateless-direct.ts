import type { ProtocolEra } from '../../shared/protocol-era.ts';
import { NO_CLIENT, type ServedClient } from '../../runtime/call.ts';
import { MODERN_CLIENT } from '../../runtime/attach/task-door.ts';
import type { McpService } from '../../runtime/service.ts';
import type { DirectCall, ShortCall } from '../direct/direct-call.ts';
import type { DirectDispatcher } from '../direct/direct-dispatcher.ts';
import { doorOf } from '../direct/door-of.ts';
import type { ServerSurface } from '../server-surface.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { GuardedHeaders } from './decisive-headers.ts';
import { JSON_TYPE, type HttpAnswer } from './http-answer.ts';
import type { HttpSettings } from './http-options.ts';
import type { HttpRequest } from './http-request.ts';
import { answerOf } from './known-answer.ts';
import { Patience } from './patience.ts';
import { StatelessCall, type StatelessDoor, type StatelessGiven } from './stateless-call.ts';

/** What a client of 2025 may name; of any other revision, a connection says whether it is served. */
const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Milliseconds after which a client that waits gets a stream, whose comments keep the connection open. */
const PATIENCE = 1000;

/** Answers requests that stand for themselves. */
export class StatelessDirect implements StatelessDoor {
  readonly era: ProtocolEra;
  readonly settings: Pick<HttpSettings, 'json' | 'keepAlive'>;
  readonly service: McpService;
  readonly client: ServedClient;
  readonly #dispatcher: DirectDispatcher | undefined;
  readonly #surface: ServerSurface;
  readonly #running: Patience<StatelessCall>;

  constructor(era: ProtocolEra, surface: ServerSurface, settings: HttpSettings) {
    this.era = era;
    this.settings = settings;
    this.#running = new Patience(era === 'legacy' ? PATIENCE : Infinity);
    this.#dispatcher = era === 'modern' ? doorOf(surface) : surface.dispatcher;
    this.#surface = surface;
    this.service = surface.service;
    this.client = era === 'modern' ? MODERN_CLIENT : NO_CLIENT;
  }

  /** Undefined for what needs a connection, if only for one request. */
  serve(admitted: AdmittedRequest): Promise<HttpAnswer> | undefined {
    const { request, posted } = admitted;
    if (posted === undefined || !isPlain(request.headers)) return undefined;
    const call = this.find(posted.body, request);
    return call === undefined || call.kind === 'standing' ? undefined : this.begin(call, admitted);
  }

  /** Begins to answer a request whose headers were found good. */
  begin(call: ShortCall, { request, authInfo, unread }: AdmittedRequest): Promise<HttpAnswer> {
    request.onDirect?.(this.era);
    return new Promise((begin) => {
      this.answer(call, { request, authInfo, unread, begin });
    });
  }

  /** Undefined for what is no request, and for what needs a connection. */
  find(body: unknown, request: HttpRequest): DirectCall | undefined {
    return this.#dispatcher?.find(this.era, body, request, !this.settings.json);
  }

  answer(call: ShortCall, given: StatelessGiven): void {
    if (call.kind === 'answered') {
      given.begin(answerOf(call, this.report));
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

  readonly report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}

function isPlain(headers: GuardedHeaders): boolean {
  const version = headers.get('mcp-protocol-version');
  const accept = headers.get('accept') ?? '';
  return (
    accept.includes(JSON_TYPE) &&
    accept.includes('text/event-stream') &&
    (version === null || LEGACY_REVISIONS.includes(version))
  );
}
