/** The parameters of a `WWW-Authenticate` header (RFC 6750, 3; RFC 9728, 5.1). */
export interface BearerChallenge {
  readonly error?: string | undefined;
  /** One sentence for developers. It must not repeat the token or a claim. */
  readonly description?: string | undefined;
  /** Separated by spaces. */
  readonly scope?: string | undefined;
  readonly resourceMetadata?: string | undefined;
}

/** Writes the header. */
export function bearerChallenge(challenge: BearerChallenge): string {
  const parameters = {
    error: challenge.error,
    scope: challenge.scope,
    resource_metadata: challenge.resourceMetadata,
    // Last: clients take the first `name=` of the header, also one inside of a text
    error_description: challenge.description,
  };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  );
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}

/** RFC 6750, 3: these values hold printable ASCII without quotes and backslashes. */
function quotable(value: string): string {
  return value
    .replaceAll('"', "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[^\x20-\x7e]|\\/g, '');
}
