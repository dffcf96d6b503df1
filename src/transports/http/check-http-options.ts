import { Buffer } from 'node:buffer';
import { optionError, refuseOptions } from '../../errors/option-errors.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { isObject } from '../../shared/json.ts';
import {
  aFunction,
  checkOptions,
  either,
  listOf,
  milliseconds,
  objectOf,
  objectWith,
  oneOf,
  positiveNumber,
  rule,
  texts,
  trueOrFalse,
  wholeNumber,
  type OptionFault,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { RATE_RULES } from '../../metadata/rate-options.ts';
import type { RequestRate, RequestRates } from './guards/limit-requests.ts';
import { proxiesRule } from './guards/client-address.ts';
import type { HttpHandlerOptions, HttpOptions, SessionOptions } from './http-options.ts';

const SESSION_RULES: OptionRules<SessionOptions> = {
  maxSessions: positiveNumber,
  maxSessionsPerOwner: positiveNumber,
  idleTimeout: positiveNumber,
  maxCalls: positiveNumber,
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
  localOrigins: oneOf('all', 'own'),
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

/** Of what Linux takes, 107 bytes, and macOS. Node cuts a longer one off, and says nothing. */
const LONGEST_SOCKET_PATH = 103;

const socketPathRule = rule(
  `a path of a file, of at most ${String(LONGEST_SOCKET_PATH)} bytes`,
  (value) =>
    typeof value === 'string' &&
    /^[^\0]*\/[^\0]*$/.test(value) &&
    Buffer.byteLength(value) <= LONGEST_SOCKET_PATH,
);

const SERVER_METHODS = ['listen', 'listenerCount', 'closeIdleConnections', 'closeAllConnections'];

/** `updateSettings` is a method of servers of HTTP/2, whose requests and answers differ. */
const serverRule = rule(
  'a server of node:http or node:https; a proxy in front of it may speak HTTP/2',
  (value) =>
    isObject(value) &&
    SERVER_METHODS.every((name) => typeof value[name] === 'function') &&
    !('updateSettings' in value),
);

const PORT = wholeNumber(0, 65_535);

export const SERVER_RULES: OptionRules<HttpOptions> = {
  port: PORT,
  // Node listens on all interfaces for an empty host.
  host: rule('an address or a name, such as 127.0.0.1', (value) => typeof value === 'string' && value !== ''),
  socketPath: socketPathRule,
  socketMode: wholeNumber(0, 0o777),
  server: serverRule,
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
  const faults = checkOptions(options, SERVER_RULES);
  const all = isObject(options) ? [...faults, ...placeFaults(options)] : faults;
  if (all.length > 0) throw optionError('TW_SERVER_OPTION', 'listen()', all);
}

/** A server listens at one place, and nothing else answers its requests. */
function placeFaults({ port, host, socketPath, socketMode, server }: HttpOptions): readonly OptionFault[] {
  const refused = (given: object, allowed: string): OptionFault[] =>
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([path, value]) => wrongValue(path, describeValue(value), allowed));
  const faults: OptionFault[] = [];
  if (server?.listening === true) {
    const places = { port, host, socketPath, socketMode };
    faults.push(...refused(places, 'left out, because the server listens already'));
  } else if (socketPath !== undefined) {
    faults.push(...refused({ port, host }, 'left out, because socketPath says where to listen'));
  } else {
    // `undefined` would let the system choose a port; only 0 asks for that.
    if (port === undefined) faults.push({ ...wrongValue('port', '', PORT.allowed), kind: 'missing' });
    faults.push(...refused({ socketMode }, 'left out, because there is no socketPath'));
  }
  if (serverRule.faultsOf(server, '').length === 0 && (server?.listenerCount('request') ?? 0) > 0) {
    const allowed = 'one without listeners for requests; such a server takes app.node among them';
    faults.push(wrongValue('server', 'one that answers requests already', allowed));
  }
  return faults;
}

function wrongValue(path: string, given: string, allowed: string): OptionFault {
  return { path, kind: 'value', given, allowed, nearest: undefined };
}
