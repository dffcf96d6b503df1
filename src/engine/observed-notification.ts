import type { ObservedNotification, Telemetry } from '../kernel/call/telemetry.ts';
import { OTHER } from '../kernel/call/telemetry.ts';
import { metaOf, type Members } from './json-rpc/message.ts';
import { REVISION_HEADER, servedRevision, type Sender, type SessionFacts } from './observed-answer.ts';
import { ENVELOPE } from './protocol.ts';

/** What clients send; further names are `_OTHER`. */
const NOTIFICATIONS = new Set([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** Reports a notification of a client; replies are no notifications. */
export function observeNotification(
  message: object,
  { telemetry }: { readonly telemetry?: Telemetry | undefined },
  sender: Sender,
  session: SessionFacts | undefined,
): void {
  if (telemetry?.notified === undefined) return;
  const { method } = message as { readonly method?: unknown };
  if (typeof method !== 'string') return;
  telemetry.notified({
    method: NOTIFICATIONS.has(method) ? method : OTHER,
    sessionId: session?.sessionId,
    ...readSender(sender, metaOf(message) ?? {}, session?.record.revision),
  } satisfies ObservedNotification);
}

function readSender(
  sender: Sender,
  meta: Members,
  agreed: string | undefined,
): Omit<ObservedNotification, 'method' | 'sessionId'> {
  const claimed = servedRevision(meta[ENVELOPE.protocolVersion]) ?? agreed;
  const isAnonymous = sender.authInfo === undefined;
  if (!('headers' in sender)) {
    const { isLocal } = sender;
    const unknown = { httpVersion: undefined, address: undefined, port: undefined, header: () => undefined };
    const carrier = isLocal ? 'stdio' : undefined;
    return { ...unknown, carrier, meta, isAnonymous: isAnonymous && !isLocal, protocolVersion: claimed };
  }
  const { headers, httpVersion, address, port } = sender;
  const header = (name: string): string | undefined => headers.get(name.toLowerCase()) ?? undefined;
  const protocolVersion = claimed ?? servedRevision(header(REVISION_HEADER));
  return { carrier: 'http', httpVersion, address, port, isAnonymous, meta, header, protocolVersion };
}
