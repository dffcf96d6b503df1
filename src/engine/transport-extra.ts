import type { AuthInfo } from '../call/call-exchange.ts';
import type { MessageOrigin } from './revisions/2025/connection-2025.ts';

/** What the transports of the SDK say of a message (`MessageExtraInfo`). */
interface TransportExtra {
  readonly authInfo?: AuthInfo;
  readonly requestInfo?: { readonly headers?: Readonly<Record<string, unknown>>; readonly url?: URL };
  readonly closeSSEStream?: () => void;
}

export function originOf(extra: unknown): MessageOrigin | undefined {
  if (extra === undefined) return undefined;
  const { authInfo, requestInfo, closeSSEStream } = extra as TransportExtra;
  return { authInfo, releaseStream: closeSSEStream, http: requestInfo && httpOf(requestInfo) };
}

function httpOf({ headers = {}, url }: NonNullable<TransportExtra['requestInfo']>): MessageOrigin['http'] {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' ? [[name, text]] : [];
  });
  return { method: 'POST', url: url ?? new URL('http://localhost/'), headers: new Headers(given) };
}
