import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader, type HttpAnswer } from './answer-reader.ts';
import type { NumberedRequest } from './numbered-request.ts';

/** One client: a connection that is kept, with one call at a time on it. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #request: NumberedRequest;
  readonly #reader = new AnswerReader();
  #answered: (answer: HttpAnswer) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;
  #isWaiting = false;

  private constructor(socket: Socket, request: NumberedRequest, onData: () => void) {
    this.#socket = socket;
    this.#request = request;
    socket.on('data', (chunk: Buffer) => {
      onData();
      this.#receive(chunk);
    });
    socket.on('error', (error) => this.#failed(error));
    socket.on('close', () => {
      if (this.#isWaiting) this.#failed(new Error('The server closed a connection instead of answering'));
    });
  }

  /** @param onData told of all that comes, before it is read */
  static async open(url: URL, request: NumberedRequest, onData: () => void): Promise<HttpConnection> {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket, request, onData);
  }

  /** Calls again and again, until the callback says that it is enough. @throws what the callback throws */
  callWhile(goesOn: (answer: HttpAnswer) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const send = (): void => {
        this.#isWaiting = true;
        this.#socket.write(this.#request.next());
      };
      this.#failed = reject;
      this.#answered = (answer) => {
        this.#isWaiting = false;
        if (goesOn(answer)) send();
        else resolve();
      };
      send();
    });
  }

  close(): void {
    this.#isWaiting = false;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      const answer = this.#reader.read(chunk);
      if (answer !== undefined) this.#answered(answer);
    } catch (error) {
      this.#failed(error as Error);
    }
  }
}
