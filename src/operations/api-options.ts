import { StderrLogger, type LogFunction, type Logger } from '../index.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { Identity } from './operation.ts';

/** Whose requests an application in this process gets. */
export type IdentityOption = 'same-server' | 'none' | Identity;

/** What gives the headers that say so: with `same-server` the token of the MCP request, which was issued for this server. */
export function identityFrom(identity: IdentityOption): Identity {
  if (typeof identity === 'function') return identity;
  if (identity === 'none') return () => ({});
  return (caller): Readonly<Record<string, string>> =>
    caller === undefined ? {} : { authorization: `Bearer ${caller.token}` };
}

/** Logs what keeps an operation from being offered, or will surprise. */
export function warn(logger: Logger | LogFunction | undefined, { code, where, what, fix }: Problem): void {
  writer(logger)({ level: 'warning', event: 'scan.warning', code, message: `${where} ${what} ${fix}` });
}

export function writer(logger: Logger | LogFunction = new StderrLogger()): LogFunction {
  return typeof logger === 'function' ? logger : (record) => logger.log(record);
}
