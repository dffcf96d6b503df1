/** Something that serves until it is closed. */
export interface Serving {
  /** Resolves when serving has ended, whoever ended it. */
  readonly closed: Promise<void>;
  /** Refuses new requests and resolves when those that run are answered. */
  stop(): Promise<void>;
  /** Ends serving at once; calling it again does nothing. */
  close(): Promise<void>;
  /** Tells every connected client that the list of tools changed. */
  notifyToolsChanged(): void;
}

/** An HTTP server that serves until it is closed. */
export interface HttpServing extends Serving {
  /** The endpoint, as a client on this machine reaches it. */
  readonly url: string;
  readonly port: number;
}
