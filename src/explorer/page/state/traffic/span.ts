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
  /** Undefined where the server answered without one. */
  readonly message: unknown;
  /** With the answer to a request of this page. */
  readonly http?: HttpExchange;
}

/** The heads of a request and of its response. */
export interface HttpExchange {
  readonly request: HttpHead;
  readonly response: HttpHead;
}

interface HttpHead {
  /** `POST /explorer/mcp`, `200 OK`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MOST_SPANS = 500;
/** In characters of JSON: half of what a saved session may have. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

const sizes = new WeakMap<Passed | Span, number>();

/** Without the oldest, so that a page can be open for days, and what it keeps can be saved and opened again. */
export function latestOf(spans: readonly Span[]): readonly Span[] {
  let left = MOST_CHARACTERS;
  const first = spans.findLastIndex((span) => (left -= sizeOf(span)) < 0);
  // The last one stays, however large it is
  return spans.slice(Math.min(first + 1, spans.length - 1)).slice(-MOST_SPANS);
}

function sizeOf(span: Span): number {
  return known(span, () => span.messages.reduce((sum, passed) => sum + sizeOfMessage(passed), 0));
}

function sizeOfMessage(passed: Passed): number {
  return known(passed, () => JSON.stringify(passed).length);
}

function known<Kept extends Passed | Span>(kept: Kept, measure: () => number): number {
  const size = sizes.get(kept) ?? measure();
  sizes.set(kept, size);
  return size;
}
