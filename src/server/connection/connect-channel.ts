import type { AuthInfo } from '../../call/call-exchange.ts';
import type { EraChannel } from '../era/era-channel.ts';
import type { EraServer } from '../era/era-switch.ts';
import type { ServerSurface } from '../server-surface.ts';
import { LocalConnection, type MessageOrigin } from './local-connection.ts';

/** Serves the messages of one connection that are of the revisions up to 2025-11-25. */
export function connectChannel(surface: ServerSurface, channel: EraChannel): EraServer {
  const connection: LocalConnection = new LocalConnection(
    surface,
    {
      send: (message, relatedRequestId) =>
        channel.send(message, relatedRequestId === undefined ? undefined : { relatedRequestId }),
      reply: (reply, id) => channel.reply(reply, id, (error) => connection.report(error)),
    },
    { sessionId: channel.sessionId, canAsk: true, canLog: true, isLasting: true },
  );
  return {
    take: (message, extra) => connection.receive(message, originOf(extra)),
    notify: (change) => connection.notify(change),
    end: () => connection.end(),
    close: () => Promise.resolve(),
  };
}

/** What the transports of the SDK say of a message (`MessageExtraInfo`). */
interface TransportExtra {
  readonly authInfo?: AuthInfo;
  readonly requestInfo?: { readonly headers?: Readonly<Record<string, unknown>>; readonly url?: URL };
  readonly closeSSEStream?: () => void;
}

function originOf(extra: unknown): MessageOrigin | undefined {
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
