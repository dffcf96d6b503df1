import { randomUUID } from 'node:crypto';
import type { CallExchange } from '../../call/call-exchange.ts';
import { personOf } from '../../call/person-of.ts';
import type { Subject } from '../tasks/tasks.ts';
import type { ServerTarget } from './server-target.ts';

const connections = new WeakMap<object, string>();

/**
 * Whose tasks a request may see: those of the person that it was authorised for, else those of its session or its
 * connection. A request without any of these sees the tasks of nobody in particular, whose ids only their clients
 * know (spec 2025-11-25: basic/utilities/tasks, Task Isolation and Access Control).
 */
export function subjectOf(target: ServerTarget, { authInfo, sessionId, retry }: CallExchange): Subject {
  if (authInfo !== undefined) return `person:${personOf(authInfo)}`;
  if (sessionId !== undefined) return `session:${sessionId}`;
  return retry === undefined ? connectionOf(target) : undefined;
}

/** A server that heard an initialize serves one client for as long as it keeps its transport. */
function connectionOf(target: ServerTarget): Subject {
  const { transport } = target;
  const isForOneRequest = target.getClientCapabilities?.() === undefined;
  if (isForOneRequest || typeof transport !== 'object' || transport === null) return undefined;
  const known = connections.get(transport) ?? randomUUID();
  connections.set(transport, known);
  return `connection:${known}`;
}
