import type { ResourceServer } from '../../runtime/auth/resource-server.ts';
import type { PlainAnswer } from './http-answer.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METHODS = 'GET, HEAD, OPTIONS';
// Pages of every origin may read it (RFC 9728, 3.1), with the headers that MCP clients send
const SHARED = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': '*',
});

/** Says who may issue tokens for the server (RFC 9728, 3); undefined for a request to another path. */
export function metadataAnswer(
  { path, method }: { readonly path: string; readonly method: string },
  auth: ResourceServer | undefined,
): PlainAnswer | undefined {
  if (auth === undefined || !path.startsWith(WELL_KNOWN)) return undefined;
  const { metadata, metadataUrl, options } = auth;
  if (metadata === undefined || metadataUrl === undefined) return undefined;
  const isRoot = path === WELL_KNOWN && options.rootMetadata !== false;
  if (!isRoot && path !== new URL(metadataUrl).pathname) return undefined;
  if (method === 'OPTIONS') return { status: 204, headers: SHARED, text: '' };
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { ...SHARED, allow: METHODS }, text: '' };
  }
  const headers = { ...SHARED, 'content-type': 'application/json', 'cache-control': 'max-age=3600' };
  return { status: 200, headers, text: JSON.stringify(metadata) };
}
