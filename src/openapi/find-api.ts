import { ToolwrightError } from '../errors/toolwright-error.ts';
import { identityFrom, writer, type IdentityOption } from '../operations/api-options.ts';
import { upstreamCarrier, type FetchFunction } from '../operations/http/fetch-carrier.ts';
import type { OperationRun } from '../operations/operation-controllers.ts';
import { reachesLoopback } from '../shared/loopback.ts';
import { createPublicFetch } from './public-fetch.ts';
import type { OpenApiOptions } from './options.ts';
import type { OpenApiDocument } from './read-document.ts';

/** The options that say where an API is and how it is called. */
type ApiOptions = Omit<OpenApiOptions, 'document'>;

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TIMEOUT = 30_000;
const RETRIES = 2;

/** Where the API is, and what sends requests there. */
export function findApi(
  options: ApiOptions,
  { servers }: Pick<OpenApiDocument, 'servers'>,
  where: string,
): OperationRun {
  const run = {
    identity: identityFrom(identityOption(options, where)),
    idempotencyHeader: options.idempotency?.toLowerCase(),
    openWorld: options.carrier === undefined,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    log: writer(options.logger),
  };
  if (options.carrier !== undefined) return { ...run, carrier: options.carrier };
  const baseUrl = baseUrlFor(options, servers, where);
  const { timeout = TIMEOUT, retries = RETRIES } = options;
  const fetch = findFetch(options, where);
  const keyHeader = options.idempotency?.toLowerCase();
  return { ...run, baseUrl, carrier: upstreamCarrier({ baseUrl, timeout, retries, fetch, keyHeader }) };
}

/** What sends requests, those for the document and for tokens included. */
export function findFetch(
  { fetch, network = 'any' }: Pick<ApiOptions, 'fetch' | 'network'>,
  where: string,
): FetchFunction {
  if (network === 'any') return fetch ?? globalThis.fetch;
  if (fetch === undefined) return createPublicFetch();
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${where}, option network`,
    what: 'is "public", and fetch connects to what it wants.',
    fix: 'remove one of the two',
  });
}

/** The servers of a document that was fetched are not its user's words. */
function baseUrlFor(
  { baseUrl, insecure = false }: ApiOptions,
  servers: readonly string[],
  where: string,
): string {
  const noBaseUrl = (what: string): ToolwrightError => missingBaseUrl(where, what);
  const given = baseUrl ?? (servers.length === 1 ? servers[0] : undefined);
  if (given === undefined) throw noBaseUrl('is missing, and the document does not name one server.');
  if (!URL.canParse(given)) throw noBaseUrl(`is ${JSON.stringify(given)}, which is not an absolute URL.`);
  const url = new URL(given);
  if (`${url.username}${url.search}${url.hash}` !== '') throw noBaseUrl('has a user, a query or a fragment.');
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && reachesLoopback(url));
  if (isPrivate || (url.protocol === 'http:' && insecure)) return given;
  throw noBaseUrl(`is ${JSON.stringify(given)}, where credentials could be read on the way.`);
}

function missingBaseUrl(where: string, what: string): ToolwrightError {
  return new ToolwrightError('TW_OPENAPI_BASE_URL', {
    where: `${where}, option baseUrl`,
    what,
    fix: "baseUrl: 'https://api.example/v1'; insecure: true allows http on another machine",
  });
}

/** What was sent to this server is not sent to another one (spec: basic/authorization, Token Passthrough). */
function identityOption({ carrier, identity }: ApiOptions, where: string): IdentityOption {
  if (carrier !== undefined || identity !== 'same-server')
    return identity ?? (carrier === undefined ? 'none' : 'same-server');
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${where}, option identity`,
    what: 'is "same-server", and the API is another server.',
    fix: 'credentials: { scheme: { for: (caller) => … } }, with a token that was issued for the API',
  });
}
