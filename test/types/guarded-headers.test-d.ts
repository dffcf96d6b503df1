import type { IncomingMessage } from 'node:http';
import {
  acceptFault,
  contentFault,
  guardSource,
  guardTarget,
  revisionFault,
  type RequestHead,
} from '../../src/transports/http/guards/check-head.ts';
import type { HttpExchange } from '../../src/transports/http/http-exchange.ts';

declare const exchange: HttpExchange;
declare const head: RequestHead;
declare const incoming: IncomingMessage;

// A request is more than guards may see of it.
export const seen: RequestHead = exchange;

// The guards need no more than that, so the same head always gets the same answer.
export const guards: readonly ((head: RequestHead) => unknown)[] = [
  (each) => guardSource(each, { allowedHosts: undefined, allowedOrigins: [], localOrigins: 'all' }),
  (each) => guardTarget(each, '/mcp', ['POST']),
  contentFault,
  acceptFault,
  revisionFault,
];

export const known: keyof RequestHead = 'origin';
// @ts-expect-error only what is compared with the head that was let pass, and no other header
export const headers: keyof RequestHead = 'headers';
// @ts-expect-error nor what says who calls
export const caller: keyof RequestHead = 'authInfo';
// @ts-expect-error the whole request, with all of its headers, is not a head
export const whole: HttpExchange = head;
// @ts-expect-error nor is what Node read
export const read: RequestHead = incoming;
