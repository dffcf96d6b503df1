const FIRST_ID = 1_000_000;
const LAST_ID = 9_999_999;

/** A JSON-RPC request whose id changes with every call; all ids have as many digits, so its length never changes. */
export class NumberedRequest {
  readonly #bytes: Buffer;
  readonly #idPosition: number;
  #id = FIRST_ID;

  /** @param head what goes before the message, whose length it gets */
  constructor(message: object, head: (length: number) => string = () => '') {
    const body = JSON.stringify({ jsonrpc: '2.0', id: FIRST_ID, ...message });
    const before = head(Buffer.byteLength(body));
    this.#bytes = Buffer.from(before + body);
    this.#idPosition = before.length + body.indexOf(String(FIRST_ID));
  }

  /** The bytes of the next call; the same buffer again, so that one call has to be over before the next. */
  next(): Buffer {
    this.#id = this.#id === LAST_ID ? FIRST_ID : this.#id + 1;
    this.#bytes.write(String(this.#id), this.#idPosition, 'latin1');
    return this.#bytes;
  }
}
