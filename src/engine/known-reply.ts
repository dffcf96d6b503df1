const encoder = new TextEncoder();

/** An answer that never changes, written once for those who send text, and once for those who send bytes. */
export class KnownReply {
  readonly result: object;
  readonly json: string;
  #bytes: Uint8Array | undefined;

  /** @throws what JSON says of a result that it cannot carry */
  constructor(result: object) {
    this.result = result;
    this.json = JSON.stringify(result);
  }

  /** Made for the first who sends it as bytes. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= encoder.encode(this.json));
  }
}
