import type { IncomingMessage } from 'node:http';
import type { GuardedHead, GuardedHeaders } from '../../src/transports/http/decisive-headers.ts';
import { checkContentLength, checkContentType } from '../../src/transports/http/http-body.ts';
import type { HttpRequest } from '../../src/transports/http/http-request.ts';
import { guardSource, guardTarget } from '../../src/transports/http/guards/request-guard.ts';

declare const request: HttpRequest;
declare const head: GuardedHead;
declare const incoming: IncomingMessage;

// A request is more than guards may see of it.
export const seen: GuardedHead = request;

// The guards need no more than that, so the same head always gets the same answer.
export const heads: readonly ((head: GuardedHead) => unknown)[] = [
  (each) => guardSource(each, { allowedHosts: undefined, allowedOrigins: [] }),
  (each) => guardTarget(each, '/mcp', ['POST']),
];
export const headers: readonly ((headers: GuardedHeaders) => unknown)[] = [
  (each) => checkContentType(each, false),
  (each) => checkContentLength(each, 1),
];

head.headers.get('origin');
// @ts-expect-error a header that is not compared with those of the head that was let pass
head.headers.get('x-forwarded-host');
// @ts-expect-error nor is its presence known
head.headers.has('authorization');
// @ts-expect-error the whole request, with all of its headers, is no head
export const whole: HttpRequest = head;
// @ts-expect-error nor is what Node read
export const read: GuardedHead = incoming;
