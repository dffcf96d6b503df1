/** Writes the lines of one turn at once: each by itself would be a call of the system, and wake the client. */
export class LineBatch {
  readonly #write: (text: string) => Promise<void>;
  #lines = '';
  #written: Promise<void> | undefined;

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the line is written, together with all others of the turn. */
  add(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    return (this.#written ??= this.#atEndOfTurn());
  }

  #atEndOfTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      // Comes after the promises of the turn, on which most answers wait.
      process.nextTick(() => {
        this.flush().then(resolve, reject);
      });
    });
  }

  /** Writes at once what waits for the end of the turn. */
  flush(): Promise<void> {
    const lines = this.#lines;
    this.#lines = '';
    this.#written = undefined;
    return lines === '' ? Promise.resolve() : this.#write(lines);
  }
}
