import { refuseOptions } from '../../errors/option-errors.ts';
import {
  aFunction,
  either,
  listOf,
  milliseconds,
  objectOf,
  objectWith,
  positiveNumber,
  required,
  rule,
  texts,
  trueOrFalse,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { RATE_RULES } from '../../metadata/limit-options.ts';
import type { RequestRate, RequestRates } from './guards/limit-requests.ts';
import { proxiesRule } from './guards/client-address.ts';
import type { HttpHandlerOptions, HttpOptions, SessionOptions } from './http-options.ts';

const SESSION_RULES: OptionRules<SessionOptions> = {
  maxSessions: positiveNumber,
  maximum: positiveNumber,
  maxSessionsPerOwner: positiveNumber,
  idleTimeout: positiveNumber,
  maxCalls: positiveNumber,
  maximumCalls: positiveNumber,
  eventStore: either(
    rule('false', (value) => value === false),
    objectWith('an event store', 'storeEvent', 'replayEventsAfter'),
  ),
  /** HTML standard, 9.2.6: the field `retry` is digits only. */
  retryInterval: wholeNumber(0),
};

const { limit, per, burst } = RATE_RULES;
const rateRule = objectOf<RequestRate>({ limit, per, burst });

/** The options that `fetch` and `listen` share. */
export const HANDLER_RULES: OptionRules<HttpHandlerOptions> = {
  path: rule(
    'a path that begins with a slash and ends before any query: /mcp',
    (value) => typeof value === 'string' && /^\/[^?#]*$/.test(value),
  ),
  sessions: either(trueOrFalse, objectOf(SESSION_RULES)),
  maxBodyBytes: positiveNumber,
  allowedHosts: texts,
  // Editors and applications use their own schemes, for which `URL` gives no origin.
  allowedOrigins: listOf(
    rule(
      'an origin, a scheme and a host without a path: "https://app.example"',
      (value) => typeof value === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/?#]+\/?$/i.test(value),
    ),
    'a list of origins: ["https://app.example"]',
  ),
  authenticate: aFunction,
  sessionOwner: aFunction,
  trustedProxies: proxiesRule,
  clientAddress: aFunction,
  requestRates: objectOf({ perAddress: rateRule, total: rateRule } satisfies OptionRules<RequestRates>),
  maxRequests: wholeNumber(1),
  json: trueOrFalse,
  keepAlive: milliseconds,
  maxUnreadBytes: positiveNumber,
  maxSubscriptions: positiveNumber,
};

/** A method, and a path without query. */
export const ROUTE_NAME = /^(GET|POST|PUT|PATCH|DELETE|OPTIONS) (\/[^?#]*)$/;

const routesRule = rule("an object of functions: { 'GET /health': () => new Response('ok') }", (value) => {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(
    ([name, answer]) => ROUTE_NAME.test(name) && typeof answer === 'function',
  );
});

export const SERVER_RULES: OptionRules<HttpOptions> = {
  // `undefined` would let the system choose a port; only 0 asks for that.
  port: required(wholeNumber(0, 65_535)),
  // Node listens on all interfaces for an empty host.
  host: rule('an address or a name, such as 127.0.0.1', (value) => typeof value === 'string' && value !== ''),
  ...HANDLER_RULES,
  routes: routesRule,
  keepAliveTimeout: milliseconds,
  requestTimeout: milliseconds,
  sendTimeout: milliseconds,
};

export function checkHandlerOptions(options: HttpHandlerOptions): void {
  refuseOptions('TW_SERVER_OPTION', 'fetch()', options, HANDLER_RULES);
}

export function checkServerOptions(options: HttpOptions): void {
  refuseOptions('TW_SERVER_OPTION', 'listen()', options, SERVER_RULES);
}
