/** `other`: a request of another client. */
export const SPAN_KINDS = ['request', 'notification', 'question', 'task', 'other'] as const;
export const SPAN_STATES = ['running', 'done', 'failed', 'cancelled'] as const;

/** One span of the timeline: a request, a notification, a question, a task, a call of another client. */
export interface Span {
  readonly id: number;
  readonly kind: (typeof SPAN_KINDS)[number];
  readonly method: string;
  /** What it is about: `tasks.create`, a URI. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds; undefined as long as it runs. */
  readonly duration?: number;
  readonly state: (typeof SPAN_STATES)[number];
  /** Of a task, in the words of the server. */
  readonly status?: string;
  /** JSON-RPC messages in the order in which they passed. */
  readonly messages: readonly Passed[];
  /** Who called, where it was not this page. */
  readonly client?: string;
}

export interface Passed {
  readonly at: number;
  readonly direction: 'sent' | 'received';
  readonly message: unknown;
}
