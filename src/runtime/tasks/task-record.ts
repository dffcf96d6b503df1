import type { AuthInfo, ClientDescription } from '../../call/request-context.ts';
import type { InputRequest } from '../../call/results.ts';
import type { PlainObject } from '../../shared/json.ts';

/** Spec 2026-07-28: extension io.modelcontextprotocol/tasks, Task Status. The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** Who asks for a task; undefined sees only tasks that belong to nobody in particular. */
export type TaskOwner = string | undefined;

/** What became of a call: its result, also one with `isError`, or the JSON-RPC error that it ended with. */
export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: PlainObject }
  | { readonly kind: 'error'; readonly error: TaskError };

/** Why a task failed: the JSON-RPC error that its client is sent. */
export interface TaskError {
  /** The JSON-RPC error code. */
  readonly code: number;
  /** The message that the client gets. */
  readonly message: string;
  /** The `data` of the JSON-RPC error. */
  readonly data?: PlainObject;
}

/** What came back for a question: what the client said, or why it said nothing. */
export type TaskAnswer =
  | { readonly value: unknown }
  | { readonly failure: { readonly code?: 'CLIENT_UNREACHABLE'; readonly message: string } };

/** A task as a store keeps it: plain JSON, never changed in place. Times are milliseconds since the epoch. */
export interface TaskRecord {
  /** The form of the record: instances of two releases may share a store. Of 2, the journal stands beside the record. */
  readonly v: 1 | 2;
  /** The id that the client asks for the task by. */
  readonly taskId: string;
  /** Goes up by one with every change. */
  readonly version: number;
  /** Who may see the task; undefined lets everybody who knows its id. */
  readonly subject?: string;
  /** What the task is doing. */
  readonly status: TaskStatus;
  /** The last message about its progress. */
  readonly statusMessage?: string;
  /** When it began, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** When it last changed, in milliseconds since the epoch. */
  readonly lastUpdatedAt: number;
  /** Milliseconds from its creation until it may be forgotten. */
  readonly ttl: number;
  /** How many milliseconds a client should wait between two polls. */
  readonly pollInterval: number;
  /** Questions that wait for the client, by keys that are used once. */
  readonly questions: Readonly<Record<string, InputRequest>>;
  /** Answers that the handler has not heard yet. */
  readonly answers: Readonly<Record<string, TaskAnswer>>;
  /** There when the task is completed or failed. */
  readonly outcome?: TaskOutcome;
  /** The process that runs the handler. */
  readonly runner: string;
  /** When its runner counts as gone unless it says otherwise. */
  readonly leaseUntil: number;
  /** There for the task of a queue. */
  readonly work?: TaskWork;
  /** What a worker has to know to run it. */
  readonly call?: AcceptedCall;
  /** The steps that its handler has done and the answers that it has, for a worker that goes on with it. */
  readonly journal?: readonly TaskEntry[];
  /** The last progress of a task of a queue, for a client that waits for its result. */
  readonly progress?: PlainObject;
  /** What callers and handlers put into the task, sealed with the `secrets` of the application; a store sees no more of it. */
  readonly sealed?: string;
}

/** Where the task of a queue is. */
export interface TaskWork {
  /** The name of the queue. */
  readonly queue: string;
  /**
   * - `queued`: it waits for a worker.
   * - `taken`: a worker has it, and its handler has done nothing that must not be done twice.
   * - `begun`: the handler runs, and nobody could say how far it came.
   * - `stepwise`: the handler runs, and its journal says how far it came.
   */
  readonly is: 'queued' | 'taken' | 'begun' | 'stepwise';
  /** Goes up with each worker that takes it: of a worker that is late, nothing is written. */
  readonly fence: number;
  /** When it was last put on its queue, in milliseconds since the epoch. */
  readonly queuedAt: number;
}

/** What a handler has done or heard, for a worker that goes on with it. */
export type TaskEntry =
  | { readonly kind: 'step'; readonly name: string; readonly value?: unknown }
  | { readonly kind: 'answer'; readonly key: string; readonly print: string; readonly answer: TaskAnswer };

/** What crosses over to the worker: the call was authorized, and its arguments were checked. */
export interface AcceptedCall {
  /** The name of the tool, and the arguments. */
  readonly params: PlainObject;
  /** The id of the request. */
  readonly requestId: string | number;
  /** The session that it came in; undefined for none. */
  readonly sessionId?: string | undefined;
  /** The `_meta` object of the request, with the version that was chosen. */
  readonly meta: PlainObject;
  /** Without the token, which belongs to the client alone. */
  readonly authInfo?: Omit<AuthInfo, 'token'> | undefined;
  /** What the client said of itself. */
  readonly client: ClientDescription;
  /** Set where code in the process agreed to the call. */
  readonly consent?: 'granted' | undefined;
  /** The surface that it named its tool on; undefined where the application has one. */
  readonly surface?: string | undefined;
  /** Whether this surface is the one that fits the client, so that results have the form that its list promises. */
  readonly isFitted?: boolean | undefined;
  /** The `User-Agent` of a client that said nothing else of itself. */
  readonly userAgent?: string | undefined;
  /** The revision in which its client is asked; undefined for one inside of the process. */
  readonly protocol?: '2025' | '2026' | undefined;
  /** Where the span of the call is (W3C Trace Context); undefined where it has none. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string } | undefined;
}

/** How long a runner may be silent before its tasks count as lost, in milliseconds, unless the option `lease` says it. */
export const LEASE = 60_000;

export function isTerminal({ status }: TaskRecord): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** When it may be forgotten, in milliseconds since the epoch. */
export function endOfLife({ createdAt, ttl }: TaskRecord): number {
  return createdAt + ttl;
}

export function isExpired(task: TaskRecord, now: number): boolean {
  return now >= endOfLife(task);
}

type TaskFacts = Pick<TaskRecord, 'taskId' | 'runner'> & {
  readonly subject: string | undefined;
  readonly statusMessage: string | undefined;
};

/** A task that has just begun: working, as every task begins. */
export function newTask(
  { taskId, subject, statusMessage, runner }: TaskFacts,
  { ttl, pollInterval }: Pick<TaskRecord, 'ttl' | 'pollInterval'>,
  now: number,
  lease = LEASE,
): TaskRecord {
  return {
    v: 1,
    taskId,
    version: 1,
    ...(subject === undefined ? {} : { subject }),
    status: 'working',
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: now,
    lastUpdatedAt: now,
    ttl,
    pollInterval,
    questions: {},
    answers: {},
    runner,
    leaseUntil: now + lease,
  };
}
