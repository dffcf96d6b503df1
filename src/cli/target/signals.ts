import { EXIT } from '../output/cli-error.ts';

/** A signal that ends a command in good order. */
export type EndingSignal = 'SIGINT' | 'SIGTERM';

// While a file is loaded, process.exit is not that of Node
const exit = process.exit.bind(process);

/** Waits for Ctrl-C and SIGTERM; the next signal ends the process at once. */
export class Signals {
  readonly received: Promise<EndingSignal>;
  readonly #handle: (signal: EndingSignal) => void;

  constructor() {
    let resolveWith: (signal: EndingSignal) => void = () => undefined;
    this.received = new Promise((resolve) => {
      resolveWith = resolve;
    });
    let isEnding = false;
    this.#handle = (signal) => {
      if (isEnding) exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
      isEnding = true;
      resolveWith(signal);
    };
    process.on('SIGINT', this.#handle).on('SIGTERM', this.#handle);
  }

  /** As Ctrl-C does where the terminal hands it over as a key. */
  interrupt(): void {
    this.#handle('SIGINT');
  }

  release(): void {
    process.off('SIGINT', this.#handle).off('SIGTERM', this.#handle);
  }
}
