import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { Cancellation } from '../direct/cancellation.ts';
import type { HeaderReader } from './header-reader.ts';

/** A body's bytes, or why there are none. */
export type BodyBytes = Uint8Array | 'too-large' | 'aborted';

/** A request as the handler sees it, whether it came over node:http or from a fetch runtime. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** The host that the client believes it talks to. */
  readonly host: string | null;
  readonly headers: HeaderReader;
  /** The client went away before it had its response. */
  readonly gone: Cancellation;
  readBody(limit: number): Promise<BodyBytes>;
  /** Told when the body was read and the request will be served, if stopping has to wait for its response. */
  readonly onAdmit?: (() => void) | undefined;
  /** Told when its headers were found good, and no SDK is needed to answer it. */
  readonly onDirect?: (era: ProtocolEra) => void;
}

/** Collects a body chunk by chunk, and stops keeping it beyond the limit. */
export class BodyCollector {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False when the body has become too large. */
  add(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.#chunks = [];
    else this.#chunks.push(chunk);
    return this.#size <= this.#limit;
  }

  bytes(): BodyBytes {
    if (this.#size > this.#limit) return 'too-large';
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const bytes = new Uint8Array(this.#size);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  }
}
