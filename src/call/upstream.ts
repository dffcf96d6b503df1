/** Reaches what a person may use at their provider: `ctx.upstream`. */
export interface Upstream {
  /**
   * The person's access token at the provider, which counts for `fresh` seconds at least (default 60).
   * @throws ToolError UPSTREAM_SIGN_IN_NEEDED, UPSTREAM_UNAVAILABLE, UPSTREAM_SCOPE
   */
  token(options?: { readonly scopes?: readonly string[]; readonly fresh?: number }): Promise<string>;
  /** A token for another service, in exchange for that of the person (RFC 8693). */
  exchange(options: {
    readonly audience: string;
    readonly scopes?: readonly string[];
    readonly resource?: string;
  }): Promise<string>;
  /** Fetches with the token, for the `origins` of the provider only; redirects are not followed. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}
