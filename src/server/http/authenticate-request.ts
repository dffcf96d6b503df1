import type { AuthInfo } from '../../call/call-exchange.ts';
import type { HttpHandlerOptions } from './http-options.ts';
import { HttpRefusal } from './http-refusal.ts';
import type { HttpRequest } from './http-request.ts';

/** Who calls; undefined only when nobody is asked. */
export async function authenticateRequest(
  request: HttpRequest,
  authenticate: HttpHandlerOptions['authenticate'],
): Promise<AuthInfo | undefined> {
  if (authenticate === undefined) return undefined;
  const { method, url, headers } = request;
  const authInfo = await authenticate({ method, url: url.href, headers: Object.fromEntries(headers) });
  if (authInfo === undefined) throw unauthorized('The request is not authorized', headers);
  if ((authInfo.expiresAt ?? Infinity) <= Date.now() / 1000)
    throw unauthorized('The token has expired', headers);
  return authInfo;
}

/** RFC 6750, 3: no error code for a client that sent no token at all. */
function unauthorized(message: string, headers: Headers): HttpRefusal {
  const challenge = headers.has('authorization') ? 'Bearer error="invalid_token"' : 'Bearer';
  return new HttpRefusal(401, message, { headers: { 'www-authenticate': challenge } });
}
