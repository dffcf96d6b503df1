import type { CallExchange } from './call-exchange.ts';

/* eslint-disable @typescript-eslint/unbound-method -- The functions of an exchange may be taken off it. */
/** The same exchange with members of its own, for whoever may spread it. */
export function plainExchange(exchange: CallExchange): CallExchange {
  return {
    requestId: exchange.requestId,
    signal: exchange.signal,
    sessionId: exchange.sessionId,
    meta: exchange.meta,
    authInfo: exchange.authInfo,
    client: exchange.client,
    header: exchange.header,
    notify: exchange.notify,
    request: exchange.request,
    log: exchange.log,
    retry: exchange.retry,
    step: exchange.step,
    startTask: exchange.startTask,
    earlyAnswer: exchange.earlyAnswer,
    report: exchange.report,
    releaseStream: exchange.releaseStream,
    raw: exchange.raw,
  };
}
