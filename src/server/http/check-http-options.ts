import {
  checkOptions,
  isBoolean,
  isFunction,
  isNameList,
  isObject,
  isPositive,
  isTime,
  wrong,
  type Checks,
} from '../check-options.ts';
import type { HttpHandlerOptions, HttpOptions, SessionOptions } from './http-options.ts';

const SESSION_CHECKS: Checks<SessionOptions> = {
  maximum: isPositive,
  idleTimeout: isPositive,
  maximumCalls: isPositive,
  eventStore: isEventStore,
  retryInterval: isInterval,
};

const HANDLER_CHECKS: Checks<HttpHandlerOptions> = {
  path: isPath,
  sessions: isSessions,
  bodyLimit: isPositive,
  allowedHosts: isNameList,
  allowedOrigins: isOriginList,
  authenticate: isFunction,
  sessionOwner: isFunction,
  json: isBoolean,
  keepAlive: isTime,
};

const SERVER_CHECKS: Checks<HttpOptions> = {
  port: isPort,
  host: isHost,
  ...HANDLER_CHECKS,
  keepAliveTimeout: isTime,
  requestTimeout: isTime,
};

export function checkHandlerOptions(options: HttpHandlerOptions): void {
  checkOptions('fetch()', options, HANDLER_CHECKS);
}

export function checkServerOptions(options: HttpOptions): void {
  checkOptions('listen()', options, SERVER_CHECKS);
  // `undefined` would have the system choose, which only 0 asks for.
  const port: unknown = options.port;
  if (port === undefined) throw wrong('port', 'undefined', 'be an integer from 0 to 65535');
}

function isPort(value: unknown): string | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
    ? undefined
    : 'be an integer from 0 to 65535';
}

/** Node takes an empty host for every interface there is. */
function isHost(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'be an address or a name, such as 127.0.0.1';
}

function isPath(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/[^?#]*$/.test(value)
    ? undefined
    : 'begin with a slash and end before any query: /mcp';
}

function isSessions(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined;
  if (!isObject(value)) {
    return 'be true, false or { maximum, idleTimeout, maximumCalls, eventStore, retryInterval }';
  }
  checkOptions('sessions', value, SESSION_CHECKS);
  return undefined;
}

function isEventStore(value: unknown): string | undefined {
  if (value === false) return undefined;
  const methods = isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
  return ['storeEvent', 'replayEventsAfter'].every((name) => typeof methods[name] === 'function')
    ? undefined
    : 'be false or have the methods storeEvent and replayEventsAfter';
}

/** HTML standard, 9.2.6: the field `retry` is digits only. */
function isInterval(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'be a whole number of milliseconds';
}

/** Pages of an editor or an application have schemes of their own, whose origins `URL` does not know. */
function isOriginList(value: unknown): string | undefined {
  return isNameList(value) === undefined &&
    (value as string[]).every((entry) => /^[a-z][a-z\d+.-]*:\/\/[^/?#]+\/?$/i.test(entry))
    ? undefined
    : 'be an array of origins, each a scheme and a host without a path: ["https://app.example"]';
}
