import type { ProtocolEra } from '../../shared/protocol-era.ts';
import type { Cancellation } from '../../call/call-context.ts';
import type { HeaderReader } from '../../engine/revision.ts';

/** A body's bytes, or why there are none. */
export type BodyBytes = Uint8Array | 'too-large' | 'aborted' | 'read-before';

/** A request as the handler sees it, whether it came over node:http or from a fetch runtime. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** As it was sent, without the query: `url` has it with its dots resolved, and knows other signs for a slash. */
  readonly path: string;
  /** The host that the client believes it talks to. */
  readonly host: string | null;
  readonly headers: HeaderReader;
  /** The client went away before it had its response. */
  readonly gone: Cancellation;
  readBody(limit: number): Promise<BodyBytes>;
  /** True where somebody has read the body before: whatever encodings its headers name are undone. */
  readonly isDecoded?: boolean;
  /** Told when the body was read and the request will be served, if stopping has to wait for its response. */
  readonly onAdmit?: (() => void) | undefined;
  /** Told when its headers were found good, and it needs nothing of a session. */
  readonly onDirect?: (era: ProtocolEra) => void;
}
