import { refuseOptions } from '../errors/option-errors.ts';
import { isPlainObject } from '../shared/json.ts';
import { trueOrFalse, type OptionRules } from '../shared/option-rules.ts';
import type { HttpOptions } from '../transports/http/http-options.ts';
import { onShutdownSignals } from '../transports/signals.ts';
import type { StdioOptions } from '../transports/stdio/serve-stdio.ts';

interface SignalOptions {
  /** Whether SIGINT and SIGTERM close the application before they end the process. Default true. */
  readonly signals?: boolean;
}

export interface HttpListenOptions extends HttpOptions, SignalOptions {}

export interface StdioListenOptions extends StdioOptions, SignalOptions {}

const SIGNAL_RULES: OptionRules<SignalOptions> = { signals: trueOrFalse };

/** The options of the server itself, and what the application does beside it. */
export function readSignals<Options extends SignalOptions>(
  where: string,
  given: Options,
): { readonly signals: boolean; readonly options: Omit<Options, 'signals'> } {
  // What is not an object at all, and the other options, the server refuses, which knows what it takes
  if (!isPlainObject(given)) return { signals: true, options: given };
  refuseOptions('TW_SERVER_OPTION', where, { signals: given.signals }, SIGNAL_RULES);
  const { signals = true, ...options } = given;
  return { signals, options };
}

/** SIGINT and SIGTERM of one application: from the first serving that wants them until the hooks have run. */
export class ShutdownSignals {
  readonly #close: (signal: string) => Promise<void>;
  #uninstall: (() => void) | undefined;

  constructor(close: (signal: string) => Promise<void>) {
    this.#close = close;
  }

  listen(): void {
    this.#uninstall ??= onShutdownSignals((signal) => this.#close(signal));
  }

  release(): void {
    this.#uninstall?.();
    this.#uninstall = undefined;
  }
}
