import { onShutdownSignals } from '../transports/signals.ts';

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
