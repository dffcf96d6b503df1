import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, type LogRecord } from '../../call/logger.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { ScannedCallable } from '../../scanner/members/scanned-callable.ts';
import { loggerOfCall, type CallLogging } from './log-records.ts';
import type { SecretSource } from './call-secrets.ts';
import type { CompileStage, Rings } from '../routes/route.ts';

/** The call that code runs for. It costs each promise of the process something, so it is set only where classes log. */
const current = new AsyncLocalStorage<SecretSource>();

/** The logger that is injected: a record that is written while a call runs names the call, and shows none of its secrets. */
export class CallLogger extends Logger {
  readonly #logging: CallLogging;

  constructor(logging: CallLogging) {
    super();
    this.#logging = logging;
  }

  log(record: LogRecord): void {
    loggerOfCall(current.getStore(), this.#logging).log(record);
  }
}

const compileCallLog: CompileStage = () => (next) => (call) => current.run(call, next, call);

/** The stages, with one that remembers the call where a class of the application has the logger. */
export function withCallLog(stages: Rings, scanned: ScannedApplication): Rings {
  if (!injectsLogger(scanned)) return stages;
  return Object.freeze({ ...stages, request: Object.freeze({ ...stages.request, log: compileCallLog }) });
}

function injectsLogger({ providers, tools, prompts, resources }: ScannedApplication): boolean {
  const key = providers.find(({ token }) => token === Logger)?.key;
  if (key === undefined) return false;
  const callables = [...tools.flatMap(({ actions }) => actions), ...prompts, ...resources];
  const needed = [
    ...providers.flatMap(({ dependencies }) => dependencies),
    ...callables.flatMap(({ handler }: Pick<ScannedCallable, 'handler'>) =>
      handler.kind === 'method' ? handler.parameters : [],
    ),
  ];
  return needed.some((each) => 'key' in each && each.key === key);
}
