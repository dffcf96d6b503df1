/**
 * Writes lines that come at once with one call of the system, which also wakes the client only once. At once are the
 * answers to requests that came together and took the same steps; whoever computes for long holds up none of them.
 */
export class LineBatch {
  readonly #write: (text: string) => Promise<void>;
  #lines = '';
  #written: Promise<void> | undefined;
  #settle: ((written: Promise<void>) => void) | undefined;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the line is written, together with all others that come at once. */
  add(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    return (this.#written ??= this.#whenWritten());
  }

  /** Writes what waits for others now. Whether that fails is told to those who added it. */
  flush(): void {
    const [lines, settle] = [this.#lines, this.#settle];
    this.#lines = '';
    this.#written = this.#settle = undefined;
    settle?.(this.#write(lines));
  }

  #whenWritten(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (written) => {
        written.then(resolve, reject);
      };
      queueMicrotask(() => {
        this.flush();
      });
    });
  }
}
