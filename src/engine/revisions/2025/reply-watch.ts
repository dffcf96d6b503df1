import { unref } from '../../../shared/platform.ts';

/** Milliseconds. The bus brings replies at once; this is for what it could not bring. */
const INTERVAL = 5_000;

/** Looks now and then for stored replies, as long as questions are open. */
export class ReplyWatch {
  readonly #look: () => void;
  #open = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(look: () => void) {
    this.#look = look;
  }

  /** A question is open until the returned function is called. */
  begin(): () => void {
    this.#open += 1;
    if (this.#timer === undefined) {
      this.#timer = setInterval(this.#look, INTERVAL);
      unref(this.#timer);
    }
    return () => {
      this.#open -= 1;
      if (this.#open > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }
}
