import type { CallExchange } from './call-exchange.ts';

/** The same exchange with members of its own, for whoever may spread it or take functions off it. */
export function plainExchange(exchange: CallExchange): CallExchange {
  const { step, startTask, report } = exchange;
  return {
    requestId: exchange.requestId,
    signal: exchange.signal,
    sessionId: exchange.sessionId,
    meta: exchange.meta,
    authInfo: exchange.authInfo,
    client: () => exchange.client(),
    header: (name) => exchange.header(name),
    notify: (method, params) => exchange.notify(method, params),
    request: (method, params, options) => exchange.request(method, params, options),
    log: (level, data, logger) => exchange.log(level, data, logger),
    retry: exchange.retry,
    step: step?.bind(exchange),
    startTask: startTask?.bind(exchange),
    report: report?.bind(exchange),
    releaseStream: exchange.releaseStream,
    raw: exchange.raw,
  };
}
