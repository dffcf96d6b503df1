import {
  createMcpHandler,
  type AuthInfo as SdkAuthInfo,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import type { AuthInfo } from '../../call/call-exchange.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { refuseSubscription } from '../era/refuse-subscription.ts';
import type { PostedMessages } from '../http/http-body.ts';
import type { HttpSettings } from '../http/http-options.ts';
import { HttpRefusal, isStopping } from '../http/http-refusal.ts';
import type { UnreadEvents } from '../http/unread-events.ts';
import { idOf } from '../json-rpc/check-messages.ts';
import type { ServerSurface } from '../server-surface.ts';
import { checkParamHeaders } from './check-param-headers.ts';
import { createModernServer, type ModernServer } from './create-modern-server.ts';
import { guardSend } from './guard-send.ts';
import { readAhead } from './read-ahead.ts';

/** Answers requests of 2026-07-28; one serves an endpoint for as long as that lives. */
export interface ModernHandler {
  /**
   * Undefined when it was closed or the client went away before there was an answer.
   * @throws HttpRefusal for what the SDK's handler does not check
   */
  serve(request: Request, posted: ModernPost): Promise<Response | undefined>;
  notify(change: SurfaceChange): void;
  close(): Promise<void>;
}

export interface ModernPost extends Pick<PostedMessages, 'body' | 'isStanding'> {
  readonly authInfo: AuthInfo | undefined;
  readonly unread: UnreadEvents;
}

/** What belongs to one request; the SDK's handler knows the request only. */
interface Exchange extends ModernPost {
  failure?: { readonly cause: unknown };
  isAnswered?: boolean;
}

/** The SDK's own mark for an exchange that was closed before it had a response. */
const CLOSED = 499;

export function createModernHandler(
  surface: ServerSurface,
  { json, keepAlive }: Pick<HttpSettings, 'json' | 'keepAlive'>,
): ModernHandler {
  const { logger } = surface;
  let isClosing = false;
  const exchanges = new WeakMap<Request, Exchange>();
  const report = (cause: Error): void => {
    logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
  // The SDK calls it when the envelope and the standard headers are in order, and takes no error of it over.
  const open = ({ requestInfo }: McpRequestContext): ModernServer['server'] => {
    const exchange = requestInfo && exchanges.get(requestInfo);
    if (requestInfo === undefined || exchange === undefined) throw new Error('A request came from elsewhere');
    try {
      checkParamHeaders(surface.service, exchange.body, requestInfo.headers);
      const { server } = createModernServer(surface, !json);
      guardServer(server, exchange, { canSend: !json, report });
      return server;
    } catch (cause) {
      exchange.failure = { cause };
      throw cause;
    }
  };
  const handler = createMcpHandler(open, {
    legacy: 'reject',
    onerror: report,
    ...(keepAlive === undefined ? {} : { keepAliveMs: keepAlive }),
  });

  return {
    serve: async (request, posted) => {
      if (posted.isStanding) checkSubscription(posted.body);
      const exchange: Exchange = { ...posted };
      exchanges.set(request, exchange);
      const response = await handler.fetch(request, {
        parsedBody: posted.body,
        // The SDK's type differs in being mutable only.
        ...(posted.authInfo === undefined ? {} : { authInfo: posted.authInfo as unknown as SdkAuthInfo }),
      });
      if (exchange.failure !== undefined) throw exchange.failure.cause;
      if (response.status === CLOSED) return undefined;
      if (!isEventStream(response)) return response;
      const lastWords = (): string | undefined => (isClosing ? refusalOf(exchange) : undefined);
      return readAhead(response, posted.unread, posted.isStanding, lastWords);
    },
    notify: (change) => {
      if (change.kind !== 'resource') handler.notify[`${change.kind}Changed`]();
      // What was switched off since a client subscribed is hidden from it altogether.
      else if (surface.service.resources?.knows?.(change.uri) !== false) {
        handler.notify.resourceUpdated(change.uri);
      }
    },
    close: () => {
      isClosing = true;
      return handler.close();
    },
  };
}

interface ServerGuard {
  readonly canSend: boolean;
  readonly report: (error: Error) => void;
}

function guardServer(
  server: ModernServer['server'],
  exchange: Exchange,
  { canSend, report }: ServerGuard,
): void {
  server.onconnect = (transport) => {
    guardSend(transport, {
      hasRoom: () => canSend && !exchange.unread.isFull,
      report,
      onAnswer: () => {
        exchange.isAnswered = true;
      },
    });
  };
}

/** What a call is told that has no answer when everything ends. */
function refusalOf({ body, isStanding, isAnswered = false }: Exchange): string | undefined {
  return isStanding || isAnswered ? undefined : isStopping(idOf(body)).toAnswer().text;
}

function checkSubscription(body: unknown): void {
  const failure = refuseSubscription(body);
  if (failure !== undefined)
    throw new HttpRefusal(400, failure.message, { code: failure.code, id: idOf(body) });
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}
