import type { ServerResponse } from 'node:http';
import type { ExplorerEvent } from './contract.ts';

/** Milliseconds between two empty lines, which keep a stream open. */
const KEEP_ALIVE = 15_000;
/** Bytes that a page may leave unread before its stream is cut. */
const MOST_UNREAD = 8 * 1024 * 1024;

/** The open streams of events, one for each page: JSON lines. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;

  add(response: ServerResponse, first: ExplorerEvent): void {
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) clearInterval(this.#timer);
    });
    if (this.#open.size === 1) {
      this.#timer = setInterval(() => {
        this.#write('\n');
      }, KEEP_ALIVE).unref();
    }
    response.write(lineOf(first));
  }

  /** Whether anybody would see an event. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  send(event: ExplorerEvent): void {
    if (this.isOpen) this.#write(lineOf(event));
  }

  close(): void {
    for (const response of this.#open) response.end();
  }

  #write(text: string): void {
    for (const response of this.#open) {
      if (response.writableLength > MOST_UNREAD) response.destroy();
      else response.write(text);
    }
  }
}

function lineOf(event: ExplorerEvent): string {
  return `${JSON.stringify(event)}\n`;
}
