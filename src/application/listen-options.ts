import { refuseOptions } from '../errors/option-errors.ts';
import { isPlainObject } from '../shared/json.ts';
import { LONGEST_TIMER, trueOrFalse, type OptionRules } from '../shared/option-rules.ts';
import { writeToStderr } from '../shared/platform.ts';
import type { HttpOptions } from '../transports/http/http-options.ts';
import { withinTime, type StdioServing } from '../transports/serving.ts';
import type { StdioOptions } from '../transports/stdio/serve-stdio.ts';

/** What an application does with signals while it serves. */
export interface SignalOptions {
  /** Whether SIGINT and SIGTERM close the application before they end the process. Default true. */
  readonly signals?: boolean;
}

/** How the explorer is served. */
export interface ExplorerOptions {
  /**
   * Serves it on an address that others reach as well, which is refused otherwise. Everybody with its token may call
   * everything. Default false.
   */
  readonly exposed?: boolean;
}

/** Options of `app.listen()`. */
export interface HttpListenOptions extends HttpOptions, SignalOptions {
  /**
   * Serves a page at `/explorer` on which a person sees and tries all that the application offers; `explorer` of what
   * `listen()` gives is its address, with a token. Default false. It is refused with NODE_ENV=production unless it is
   * `'unsafe-in-production'`, and on an address that others reach unless it is `exposed`.
   *
   * @throws ToolwrightError TW_EXPLORER_PRODUCTION, TW_EXPLORER_HOST
   * @example
   * const { explorer } = await app.listen({ port: 3000, explorer: true });
   */
  readonly explorer?: boolean | 'unsafe-in-production' | ExplorerOptions;
}

/** Options of `app.stdio()`. */
export interface StdioListenOptions extends StdioOptions, SignalOptions {}

const SIGNAL_RULES: OptionRules<SignalOptions> = { signals: trueOrFalse };

/** Separates the options of the server from those of the application. */
export function readSignals<Options extends SignalOptions>(
  where: string,
  given: Options,
): { readonly signals: boolean; readonly options: Omit<Options, 'signals'> } {
  // The server itself refuses a value that is not an object, and invalid options
  if (!isPlainObject(given)) return { signals: true, options: given };
  refuseOptions('TW_SERVER_OPTION', where, { signals: given.signals }, SIGNAL_RULES);
  const { signals = true, ...options } = given;
  return { signals, options };
}

type ShutdownSignal = 'SIGINT' | 'SIGTERM';

/** Gives false when it had to cut something off. */
type Callback = (signal: ShutdownSignal) => unknown;

/** State that all applications of a process share, even across copies of the package. */
interface Coordinator {
  readonly callbacks: Set<Callback>;
  readonly uninstall: () => void;
  isShuttingDown: boolean;
}

const COORDINATOR = Symbol.for('toolwright:signals');
/** State on the process itself: module state would differ between copies of the package. */
function holder(): { [COORDINATOR]?: Coordinator | undefined } {
  return process as object;
}

const NUMBERS: Readonly<Record<ShutdownSignal, number>> = { SIGINT: 2, SIGTERM: 15 };

/**
 * Runs the callback once when the process receives a signal to end. After the callbacks of all applications, SIGTERM ends
 * the process with 0, or 1 when something was cut off or failed; SIGINT with its default action, so that shells see the
 * signal. If other code listens to the signal, it decides instead. A second signal ends the process at once.
 * @returns a function that removes the callback
 */
export function onShutdownSignals(callback: Callback): () => void {
  const coordinator = (holder()[COORDINATOR] ??= install());
  // The same function may be given twice, and each time is a registration of its own.
  const registered: Callback = (signal) => callback(signal);
  coordinator.callbacks.add(registered);
  return () => {
    coordinator.callbacks.delete(registered);
    if (coordinator.callbacks.size === 0 && !coordinator.isShuttingDown) coordinator.uninstall();
  };
}

/** Milliseconds for the shutdown hooks of an application whose client is gone. */
const HOOKS = 10_000;
/** Milliseconds for what the process does of its own when the application has closed. */
const LAST_WORK = 500;

/** A client over stdio, and whether the process ends with it. */
export type EndingClient = Pick<StdioServing, 'isEndedByClient' | 'endsProcess'>;

/**
 * Closes an application whose client is gone. Its process ends then, where that is wanted, also with an open timer, unless
 * another application serves in it.
 * @param close gives false when it failed
 */
export async function endWithClient(
  { isEndedByClient, endsProcess }: EndingClient,
  close: () => Promise<boolean>,
  { drainTimeout }: { readonly drainTimeout: number },
): Promise<void> {
  if (!isEndedByClient) return;
  const closed = close().then((isClean) => {
    if (!isClean) process.exitCode = 1;
  });
  if (!endsProcess) return closed;
  const isLate = !(await withinTime(closed, Math.min(drainTimeout + HOOKS, LONGEST_TIMER)));
  if (isLate) {
    report(`the shutdown hooks did not end within ${String(HOOKS)} ms`);
    process.exitCode = 1;
  }
  const end = (): void => {
    const others = holder()[COORDINATOR]?.callbacks.size ?? 0;
    // Its own is still there when its hooks have not ended
    if (others <= (isLate ? 1 : 0)) process.exit();
  };
  setTimeout(end, LAST_WORK).unref();
}

function install(): Coordinator {
  const handle = (signal: NodeJS.Signals): void => {
    const name: ShutdownSignal = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    // The exit code that shells report for a process ended by a signal.
    if (coordinator.isShuttingDown) process.exit(128 + NUMBERS[name]);
    coordinator.isShuttingDown = true;
    void shutDown(coordinator, name);
  };
  const coordinator: Coordinator = {
    callbacks: new Set(),
    isShuttingDown: false,
    uninstall: () => {
      process.off('SIGINT', handle).off('SIGTERM', handle);
      if (holder()[COORDINATOR] === coordinator) Reflect.deleteProperty(process, COORDINATOR);
    },
  };
  process.on('SIGINT', handle).on('SIGTERM', handle);
  return coordinator;
}

async function shutDown({ callbacks, uninstall }: Coordinator, signal: ShutdownSignal): Promise<void> {
  const outcomes = await Promise.allSettled([...callbacks].map(async (callback) => callback(signal)));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') report(outcome.reason);
  }
  uninstall();
  if (process.listenerCount(signal) > 0) return;
  const isClean = outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value !== false);
  if (signal === 'SIGTERM') process.exit(isClean ? 0 : 1);
  process.kill(process.pid, signal);
}

function report(error: unknown): void {
  writeToStderr(`shutdown failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
}
