import { signal } from '@preact/signals';
import { membersOf } from '../../../../shared/json.ts';
import type { TrafficEvent } from '../../../contract.ts';
import { maskMessage, maskPassed } from './masked-message.ts';
import { latestOf, type Passed, type Span } from './span.ts';

/** Of one span: a task is asked for again and again. */
const MOST_MESSAGES = 500;

export const spans = signal<readonly Span[]>([]);

let lastId = 0;

export function addSpan(span: Omit<Span, 'id'>): number {
  lastId += 1;
  const [begun] = span.messages;
  const messages = span.messages.map((passed) => masked(passed, begun));
  const subject = String(maskMessage(span.subject, undefined));
  spans.value = latestOf([...spans.value, { ...span, subject, messages, id: lastId }]);
  return lastId;
}

export function changeSpan(id: number, change: (span: Span) => Partial<Span>): void {
  spans.value = spans.value.map((span) => (span.id === id ? { ...span, ...change(span) } : span));
}

export function keepMessage(id: number, passed: Passed): void {
  changeSpan(id, ({ messages }) => ({
    messages: [...messages, masked(passed, messages[0] ?? passed)].slice(-MOST_MESSAGES),
  }));
  spans.value = latestOf(spans.value);
}

/** Nothing is kept as it came: what is a secret never gets into the timeline. */
function masked(passed: Passed, begun: Passed | undefined): Passed {
  return maskPassed(passed, begun?.message);
}

export function endSpan(id: number, state: Span['state']): void {
  changeSpan(id, ({ at }) => ({ state, duration: Date.now() - at }));
}

export function addTraffic(event: TrafficEvent): void {
  const { method, tool, action, client, at, isError, milliseconds, code, request, response } = event;
  const end = at + milliseconds;
  const subject = [tool, action].filter((part) => part !== undefined && part !== '').join('.');
  const { uri, name: named = uri } = membersOf(request?.['params']);
  addSpan({
    kind: 'other',
    method,
    subject: subject === '' && typeof named === 'string' ? named : subject,
    at,
    duration: milliseconds,
    state: isError ? 'failed' : 'done',
    messages: [
      ...(request === undefined ? [] : [{ at, direction: 'sent', message: request } as const]),
      ...(response === undefined && code === undefined
        ? []
        : [{ at: end, direction: 'received', message: response ?? { code } } as const]),
    ],
    client: client ?? 'another client',
  });
}
