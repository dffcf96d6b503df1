/** One request to a path of a door. */
export interface DoorRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether another server has read the body, which is JSON then. */
  readonly isDecoded: boolean;
  /** The address of the client; undefined where it is unknown. */
  readonly address: string | undefined;
}

/** Answers requests to paths beside the endpoint, over `listen`, `app.node` and `app.fetch`. */
export interface HttpDoor {
  readonly maxBodyBytes: number;
  /** @param isEndpoint whether the protocol is served at a path */
  serves(path: string, isEndpoint: (path: string) => boolean): boolean;
  /** It must not fail. */
  answer(request: DoorRequest): Promise<Response>;
}
