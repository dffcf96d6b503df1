import { signal } from '@preact/signals';
import type { TrafficEvent } from '../../contract.ts';

/** `other`: a request of another client. */
export const SPAN_KINDS = ['request', 'notification', 'question', 'task', 'other'] as const;
export const SPAN_STATES = ['running', 'done', 'failed', 'cancelled'] as const;

/** One span of the timeline: a request, a notification, a question, a call of another client. */
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

const MOST_SPANS = 500;

export const spans = signal<readonly Span[]>([]);

let lastId = 0;

export function addSpan(span: Omit<Span, 'id'>): number {
  lastId += 1;
  spans.value = [...spans.value.slice(1 - MOST_SPANS), { ...span, id: lastId }];
  return lastId;
}

export function changeSpan(id: number, change: (span: Span) => Partial<Span>): void {
  spans.value = spans.value.map((span) => (span.id === id ? { ...span, ...change(span) } : span));
}

export function keepMessage(id: number, passed: Passed): void {
  changeSpan(id, ({ messages }) => ({ messages: [...messages, passed] }));
}

export function endSpan(id: number, state: Span['state']): void {
  changeSpan(id, ({ at }) => ({ state, duration: Date.now() - at }));
}

export function addTraffic(event: TrafficEvent): void {
  const { method, tool, action, client, at, isError, milliseconds, code } = event;
  addSpan({
    kind: 'other',
    method,
    subject: [tool, action].filter((part) => part !== undefined && part !== '').join('.'),
    at,
    duration: milliseconds,
    state: isError ? 'failed' : 'done',
    messages: code === undefined ? [] : [{ at, direction: 'received', message: { code } }],
    client: client ?? 'another client',
  });
}
