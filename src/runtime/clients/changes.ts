import type { Logger } from '../../call/logger.ts';
import { Buffer } from 'node:buffer';
import { concerns, type ChangeNotice } from '../../call/notifier.ts';
import { subjectKey, subjectOf } from '../../call/subject.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolError } from '../../call/protocol-error.ts';
import { isObject, type PlainObject } from '../../shared/json.ts';
import type { Handle } from '../../kernel/call/call.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { shownUri } from '../failures/protocol-failures.ts';
import type { StandingOutcome, StandingSink } from '../../kernel/call/outcome.ts';
import { watchRemotely } from '../remote/remote-servers.ts';
import { compileMethod, type RouteSettings } from '../routes/route.ts';
import type { CallerFacts } from '../../kernel/call/authority.ts';
import type { ChangeSource } from '../../kernel/call/service-request.ts';
import { partsOf, type Methods, type ServiceParts, type PartName } from '../routes/service-parts.ts';

type ChangeListener = Parameters<ChangeSource['listen']>[0];

/** Whose changes are sent: by then, another application may have taken the place of the one that was listened to. */
interface ChangingService extends Pick<ServiceParts, 'resources'> {
  readonly settings: Pick<RouteSettings, 'authorization'>;
}

/** Sends changes to open subscriptions. Each connection has its own. */
export class Changes implements ChangeSource {
  readonly #service: ChangingService;
  readonly #logger: Logger;
  readonly #atOnce: number;
  readonly #listeners = new Set<ChangeListener>();
  /** Changes that are not yet sent to all listeners. */
  readonly #untold: ChangeNotice[] = [];

  /**
   * @param logger gets what a listener throws
   * @param atOnce how many listeners are notified in one turn
   */
  constructor(service: ChangingService, logger: Logger, atOnce = Infinity) {
    this.#service = service;
    this.#logger = logger;
    this.#atOnce = atOnce;
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  maySee(uri: string, request: CallerFacts): MaybePromise<boolean> {
    return maySee(this.#service, uri, request);
  }

  /** Notifies the listeners in order. */
  tell(change: ChangeNotice): void {
    // A resource that was disabled after the subscription is hidden completely
    if (change.kind === 'resource' && this.#service.resources?.knows(change.uri) === false) return;
    this.#untold.push(change);
    if (this.#untold.length === 1) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    for (let [change] = this.#untold; change !== undefined; [change] = this.#untold) {
      let told = 0;
      for (const listener of this.#listeners) {
        if (!this.#tellOne(listener, change)) continue;
        told += 1;
        if (told % this.#atOnce === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      this.#untold.shift();
    }
  }

  /** One that throws must not keep a change from the others. */
  #tellOne(listener: ChangeListener, change: ChangeNotice): boolean {
    try {
      return listener(change);
    } catch (cause) {
      const message = `A subscription could not be notified of a change of ${change.kind}.`;
      this.#logger.log({ level: 'error', event: 'change.failed', message, cause });
      return false;
    }
  }
}

/** Whether who made a request may know now that there is such a resource. */
export function maySee(
  { resources, settings }: ChangingService,
  uri: string,
  request: CallerFacts,
): MaybePromise<boolean> {
  const { authorization } = settings;
  if (!authorization.isNeeded) return true;
  return thenMaybe(authorization.check(request), ({ verdicts }) => resources?.knows(uri, verdicts) === true);
}

/** Answers `subscriptions/listen` (spec 2026-07-28: basic/utilities/subscriptions). */
export function listenMethod(parts: ServiceParts, settings: RouteSettings): Methods {
  const offered = new Set(partsOf(parts));
  const listen: Handle = (call) => {
    const { params, origin } = call;
    const { changes } = origin.served;
    if (changes === undefined) throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
    const { authInfo } = origin.context;
    const subject = authInfo && subjectKey(subjectOf(authInfo));
    const request = { authInfo: call.authInfo, isLocal: call.context.carrier === 'local' };
    const maySee = (uri: string): MaybePromise<boolean> => changes.maySee(uri, request);
    const filter = readFilter(params['notifications'], offered);
    watchRemotely(filter.uris, settings);
    return listenTo(changes, filter, { subject, maySee });
  };
  return { 'subscriptions/listen': compileMethod('subscriptions/listen', settings, listen) };
}

/** The members of a filter that ask for the changes of a list. */
const LISTS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;
type ListKind = keyof typeof LISTS;

/** The accepted part of a client's filter. */
interface Filter {
  readonly lists: ReadonlySet<ListKind>;
  readonly uris: ReadonlySet<string>;
}

const NOTHING: PlainObject = Object.freeze({});

/** Who listens. */
interface Listener {
  readonly subject: string | undefined;
  /** Asked with each change: what may be seen differs from one to the next. */
  readonly maySee: (uri: string) => MaybePromise<boolean>;
}

function listenTo(
  changes: ChangeSource,
  { lists, uris }: Filter,
  { subject, maySee }: Listener,
): StandingOutcome {
  const open = (sink: StandingSink): (() => void) | undefined => {
    sink.notify('notifications/subscriptions/acknowledged', { notifications: grantOf({ lists, uris }) });
    if (lists.size === 0 && uris.size === 0) return undefined;
    let isOpen = true;
    const update = (uri: string): void =>
      void thenMaybe(maySee(uri), (isSeen) => {
        if (isSeen && isOpen) sink.notify('notifications/resources/updated', { uri });
      });
    const unlisten = changes.listen((change) => {
      if (change.kind === 'resource') {
        const { uri } = change;
        if (uris.has(uri)) update(uri);
        return uris.has(uri);
      }
      const { kind } = change;
      if (!concerns(change, subject)) return false;
      if (lists.has(kind)) sink.notify(`notifications/${kind}/list_changed`, {});
      return lists.has(kind);
    });
    return () => {
      isOpen = false;
      unlisten();
    };
  };
  return { kind: 'standing', value: NOTHING, open };
}

function grantOf({ lists, uris }: Filter): PlainObject {
  const granted = [...lists].map((kind) => [LISTS[kind], true] as const);
  const subscriptions = uris.size === 0 ? {} : { resourceSubscriptions: [...uris] };
  return { ...Object.fromEntries(granted), ...subscriptions };
}

/** @throws ProtocolError for an invalid filter, or one above the limits */
function readFilter(filter: unknown, offered: ReadonlySet<PartName>): Filter {
  if (!isObject(filter)) throw wrongFilter('notifications must be an object that says what to listen to');
  const lists = (Object.keys(LISTS) as ListKind[]).filter((kind) => filter[LISTS[kind]] !== undefined);
  const wrong = lists.find((kind) => typeof filter[LISTS[kind]] !== 'boolean');
  if (wrong !== undefined) throw wrongFilter(`notifications.${LISTS[wrong]} must be true or false`);
  const uris = filter['resourceSubscriptions'] ?? [];
  if (!isTexts(uris)) throw wrongFilter('notifications.resourceSubscriptions must be a list of URIs');
  checkUris(uris);
  return {
    lists: new Set(lists.filter((kind) => filter[LISTS[kind]] === true && offered.has(kind))),
    uris: new Set(offered.has('resources') ? uris : []),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Of a session of 2025, or of one request to listen. */
const MOST_URIS = 1000;
/** In characters: templates match URIs of any length, and a client may not fill the memory with them. */
export const LONGEST_URI = 8192;
/** Of all of them together, for the same reason. */
const TOTAL_LENGTH = 64 * 1024;

/**
 * Checks what a session of 2025 subscribes to.
 * @param others what it has subscribed to before
 * @throws ProtocolError when it has too many
 */
export function checkSubscription(uri: string, others: readonly string[]): void {
  if (uri.length > LONGEST_URI) throw refusal(uri, `is longer than ${LONGEST_URI} characters`);
  if (others.length >= MOST_URIS) {
    throw refusal(uri, `is one too many: this connection has ${MOST_URIS} subscriptions, unsubscribe first`);
  }
  const length = others.reduce((sum, other) => sum + other.length, uri.length);
  if (length <= TOTAL_LENGTH) return;
  const why = `is too much: the subscriptions of a connection have ${TOTAL_LENGTH} characters together at most, unsubscribe first`;
  throw refusal(uri, why);
}

function refusal(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Cannot subscribe: the URI ${why}`, { uri: shownUri(uri) });
}

function checkUris(uris: readonly string[]): void {
  if (uris.length > MOST_URIS) {
    const [count, most] = [String(uris.length), String(MOST_URIS)];
    throw wrongFilter(`resourceSubscriptions names ${count} URIs; at most ${most} are allowed`);
  }
  if (uris.some((uri) => uri.length > LONGEST_URI)) {
    throw wrongFilter(`a URI in resourceSubscriptions is longer than ${String(LONGEST_URI)} characters`);
  }
  const bytes = uris.reduce((sum, uri) => sum + Buffer.byteLength(uri), 0);
  if (bytes <= TOTAL_LENGTH) return;
  const most = String(TOTAL_LENGTH);
  throw wrongFilter(
    `the URIs in resourceSubscriptions have ${String(bytes)} bytes; at most ${most} are allowed`,
  );
}

function wrongFilter(reason: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Invalid params: ${reason}`);
}
