import { SpanKind } from '@opentelemetry/api';
import type { ObservedNotification } from '../index.ts';
import { placeOf, transportAttributes, withoutUndefined, type Observer } from './observed-call.ts';

/** A notification of a client as a span and in the metrics: it has no answer, so both have no length. */
export function observeNotification(notification: ObservedNotification, observer: Observer): void {
  const { method, sessionId, address, port } = notification;
  const shared = { 'mcp.method.name': method, ...transportAttributes(notification) };
  const own = { 'mcp.session.id': sessionId, 'client.address': address, 'client.port': port };
  const { parent, links } = placeOf(notification, observer.options);
  const attributes = { ...shared, ...withoutUndefined(own) };
  observer.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes, links: [...links] }, parent).end();
  observer.instruments.record('mcp.server.operation.duration', 0, shared);
}
