import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { OwnedStore } from '../../shared/owners/owned-key.ts';
import type { RequestContext } from '../../call/request-context.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import type { CallerFacts } from './authority.ts';
import type { CompiledCallable } from './compiled-callable.ts';
import type { Outcome, ResultEncoder } from './outcome.ts';
import type { Params } from './request-params.ts';

/** One request to an application, of any transport. */
export interface Origin {
  readonly method: string;
  readonly params: Params;
  readonly context: ServedContext;
  /** The source of the request's signal. */
  readonly cancellation: Cancellation;
  /** What its connection keeps for its client. */
  readonly served: ServedClient;
  /** The task that the call became in another process, which has authorized it. */
  readonly task?: WorkerTask;
}

/** What a handler sees of a request, and how it is answered. */
export interface ServedContext extends RequestContext {
  /** Undefined where results are not written by us. */
  readonly encoder?: ResultEncoder | undefined;
  /** How it came: over HTTP, or from this machine or process; undefined where a server of somebody else got it. */
  readonly carrier?: 'http' | 'local' | undefined;
  /** Its caller is being checked, and may have to be refused with a status. */
  readonly holdStatus?: ((until: Promise<unknown>) => void) | undefined;
  /** The revision of the protocol; undefined where it is not known. */
  readonly protocolVersion?: string | undefined;
  /** What is known of the connection that carried it. */
  readonly http?:
    | { readonly port?: number | undefined; readonly httpVersion?: string | undefined }
    | undefined;
  /** The trace context of the call, where its task runs in another process. */
  readonly callTrace?: Params | undefined;
  /** Whether the surface is the one that fits its client, where its task runs in another process. */
  readonly isFitted?: boolean | undefined;
  /** Who calls inside the process agreed to what asks for consent. */
  readonly consent?: 'granted' | undefined;
}

/** What a call calls: an action, a prompt, a method. Stages are compiled for it, and read it. */
export interface CallTarget {
  /** A `method` is answered by the service itself; a `miss` names what is not there, or is hidden. */
  readonly kind: 'action' | 'prompt' | 'resource' | 'completion' | 'method' | 'miss';
  /** Named by the protocol. */
  readonly method: string;
  /** Undefined where nothing is called that has a name. */
  readonly name: string | undefined;
  /** The key of the action of a tool. */
  readonly action?: string;
  /** What is ready to run; undefined for a method and a miss. */
  readonly handler: CompiledCallable | undefined;
  /** How an action becomes a task; undefined where it does not. */
  readonly task?: TaskMode | undefined;
  /** Whether any action of its tool may become one. */
  readonly taskSupport?: TaskSupport | undefined;
  /** The queue that its tasks are put on. */
  readonly queue?: string | undefined;
  /** The method is served during the shutdown too, and not waited for. */
  readonly isUncounted?: boolean;
  /** What another server says of its tool; undefined for what is not of another server. */
  readonly remote?: RemoteMarks;
}

/** What another server says that its tool does; nobody has checked it. */
export interface RemoteMarks {
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

/** A request while it is counted. */
export interface Answerable {
  readonly origin: Origin;
  /** Answers it, unless it is answered already. */
  reply(outcome: Outcome): void;
}

/** Counts requests, and may refuse them. */
export interface Admission {
  /** Nothing new is served any more. */
  readonly isStopping: boolean;
  begin(call: Answerable): void;
  end(call: Answerable): void;
}

/** What is open in this process: calls that run, and the connections of callers who are known. */
export interface OpenForOwners extends Admission {
  /** Stores that belong to connections. */
  readonly stores: Set<OwnedStore>;
  /** A connection. @returns what is to be called when it has ended by itself */
  add(owner: string, end: () => void): () => void;
  /** Ends all of an owner. @returns how many there were */
  endOf(owner: string): { readonly calls: number; readonly connections: number };
}

/** The task that a call may become; it carries the questions and messages of the call from then on. */
export interface CallTask extends Pick<RequestContext, 'notify' | 'log' | 'request'> {
  start(message?: string): Promise<void>;
  report(message: string): Promise<void>;
  /** Does a step, or gives what it came to in another process; undefined where every step is done. */
  step?<T>(name: string, run: () => T | Promise<T>): Promise<T>;
}

/**
 * What becomes of a handler whose worker is gone: it runs again; it goes on after the steps that it has done; or it
 * does not run a second time.
 */
export type RestartRule = 'again' | 'steps' | 'never';

/** The task of a queue, in the process of its worker. */
export interface WorkerTask extends CallTask {
  /** What it calls was found. */
  enter(): void;
  /** Its handler is about to begin. */
  begin(rule: RestartRule): Promise<void>;
}

/** The resources that a client wants to hear of. */
export interface SubscribedUris {
  /** @throws ProtocolError when the connection has too many */
  add(uri: string): MaybePromise<void>;
  remove(uri: string): MaybePromise<void>;
  /** The client is sent what its latest request could see. */
  servedFor(request: CallerFacts): void;
}

/** Where changes come from. */
export interface ChangeSource {
  /** Calls the listener with each change, which says whether its client wanted to know; the function ends that. */
  listen(listener: (change: ChangeNotice) => boolean): () => void;
  /** Whether who made a request may know now that there is such a resource. */
  maySee(uri: string, request: CallerFacts): MaybePromise<boolean>;
}

/** What the connection of a request keeps for its client. */
export interface ServedClient {
  /** The resources that it subscribed to; undefined where a subscription would end with its request. */
  readonly subscriptions: SubscribedUris | undefined;
  /** What it may listen to with a request that stays open; undefined where no request does. */
  readonly changes: ChangeSource | undefined;
  /** It is in the same process, and waits for every call: actions run through, whatever they say of tasks. */
  readonly isLocal: boolean;
}
