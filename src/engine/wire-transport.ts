/** Known to the transports of this package only: those of others may have members of any name. */
export const SEND_TEXT = Symbol('sendText');

/** A transport in the form that both SDK lines give it. */
export interface WireTransport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly sessionId?: string | undefined;
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  /** Sends an answer that is written already; the transports of the SDKs take objects only. */
  [SEND_TEXT]?(text: string, id: string | number): Promise<void>;
}
