import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD =
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
  'accept: application/json, text/event-stream\r\n';

/** One connection that is kept, by hand: other clients keep more of their own than a server that leaks. */
export class HttpWire {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(port: number): Promise<HttpWire> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    await once(socket, 'connect');
    return new HttpWire(socket);
  }

  /** Resolves to the whole response. */
  post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = `content-length: ${String(Buffer.byteLength(body))}\r\n\r\n`;
    return new Promise((resolve) => {
      let text = '';
      const add = (part: string): void => {
        text += part;
        if (!isWhole(text)) return;
        this.#socket.off('data', add);
        resolve(text);
      };
      this.#socket.on('data', add).write(`${HEAD}${lines.join('')}${length}${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const [, length] = /^content-length: (\d+)$/im.exec(text.slice(0, end)) ?? [];
  if (length === undefined) return text.endsWith('\r\n0\r\n\r\n');
  return Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}
