import type { AuthInfo } from '../call/request-context.ts';
import type { HttpCarrier } from './revision.ts';

/** Known to the transports of this package only: those of others may have members of any name. */
export const SEND_TEXT = Symbol('sendText');

/** A transport in the form that both SDK lines give it. */
export interface WireTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId?: string | undefined;
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  /** Sends an answer that is written already; the transports of the SDKs take objects only. */
  [SEND_TEXT]?(text: string, id: string | number): Promise<void>;
}

/** What a transport knows of a message beside the message. */
export interface MessageOrigin {
  readonly authInfo?: AuthInfo | undefined;
  readonly http?: HttpCarrier | undefined;
  /** Ends the response for a client that comes back. */
  readonly releaseStream?: (() => void) | undefined;
}

/** What the transports of the SDK say of a message (`MessageExtraInfo`). */
interface TransportExtra {
  readonly authInfo?: AuthInfo;
  readonly requestInfo?: { readonly headers?: Readonly<Record<string, unknown>>; readonly url?: URL };
  readonly closeSSEStream?: () => void;
}

export function originOf(extra: unknown): MessageOrigin {
  const { authInfo, requestInfo, closeSSEStream } = extra as TransportExtra;
  return { authInfo, releaseStream: closeSSEStream, http: requestInfo && httpOf(requestInfo) };
}

function httpOf({ headers = {}, url }: NonNullable<TransportExtra['requestInfo']>): HttpCarrier {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' ? [[name, text]] : [];
  });
  return { url: url ?? new URL('http://localhost/'), headers: new Headers(given), address: undefined };
}
