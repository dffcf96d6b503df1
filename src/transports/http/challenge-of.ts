import type { AuthenticationError } from '../authentication-error.ts';

/** The header's value. RFC 6750, 3: no error code for a client that sent no token at all. */
export function challengeOf({ status, options }: AuthenticationError, hasToken: boolean): string {
  const usual = status === 403 ? 'insufficient_scope' : hasToken ? 'invalid_token' : undefined;
  const parameters = {
    error: options.error ?? usual,
    error_description: options.description,
    scope: options.scope,
    resource_metadata: options.resourceMetadata,
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
