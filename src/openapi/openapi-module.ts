import { refuseOptions } from '../errors/option-errors.ts';
import type { Problem } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { Module, type DynamicModule } from '../index.ts';
import { identityFrom, warn, type IdentityOption } from '../operations/api-options.ts';
import { readCurationFile, withCurationFile } from '../operations/curation-file.ts';
import { upstreamCarrier } from '../operations/fetch-carrier.ts';
import { createControllers, type OperationRun } from '../operations/operation-controllers.ts';
import type { Carrier } from '../operations/operation.ts';
import { reachesLoopback } from '../shared/loopback.ts';
import { findChanges } from './fingerprint.ts';
import { Credentials } from './credentials.ts';
import { OPENAPI_RULES, type OpenApiOptions } from './options.ts';
import { readApi, type ReadApi } from './read-api.ts';
import { readDocument, type OpenApiDocument } from './read-document.ts';

const WHERE = 'OpenApiModule.forRoot()';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TIMEOUT = 30_000;
const RETRIES = 2;

/**
 * The operations of an OpenAPI document as a module: the surface follows the document at each start.
 *
 * @example
 * import { McpApplication } from 'toolwright';
 * import { OpenApiModule } from 'toolwright/openapi';
 *
 * const api = await OpenApiModule.forRoot({
 *   document: './shop.openapi.json',
 *   baseUrl: 'https://api.shop.example/v1',
 *   include: ['orders.*', 'GET /customers/*'],
 *   auth: { token: { env: 'SHOP_TOKEN' } },
 * });
 * const app = await McpApplication.create(api);
 */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- it is the module, and users know `forRoot` of such
export class OpenApiModule {
  /**
   * Makes the module.
   * @throws ToolwrightError TW_OPENAPI_DOCUMENT, TW_OPENAPI_BASE_URL; ApplicationError with every problem of the operations
   */
  static async forRoot(given: OpenApiOptions): Promise<DynamicModule> {
    refuseOptions('TW_APPLICATION_OPTION', WHERE, given, OPENAPI_RULES);
    const options = withCurationFile(given) as OpenApiOptions;
    const { fetch = globalThis.fetch } = options;
    const document = await readDocument(options.document, fetch);
    const api = findApi(options, document);
    const read = readApi(document, options);
    const { problems, operations } = read;
    const credentials = new Credentials(document.root, options.auth ?? {}, problems);
    const signers = new Map(operations.map((each) => [each.key, credentials.signerFor(each)]));
    credentials.report(problems);
    problems.throwIfAny(WHERE);
    for (const warning of [...read.warnings, ...changesSince(given.curation, document, read)])
      warn(options.logger, warning);
    return createModule(read, {
      ...api,
      identity: identityFrom(identityOption(options)),
      idempotencyHeader: options.idempotency?.toLowerCase(),
      openWorld: options.carrier === undefined,
      maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
      sign: ({ key }) => signers.get(key) ?? ((request) => request),
    });
  }
}
Module()(OpenApiModule);

/** What is no longer as it was when the file of a selection was written. */
function changesSince(
  curation: string | undefined,
  { root }: OpenApiDocument,
  read: ReadApi,
): readonly Problem[] {
  if (curation === undefined) return [];
  const { document } = readCurationFile(curation);
  return document === undefined ? [] : findChanges(root, read, document.operations, curation);
}

/** The module of what was read. */
export function createModule({ all, operations, forms }: ReadApi, run: OperationRun): DynamicModule {
  const controllers = createControllers(operations, {
    ...run,
    routes: all.map(({ method, path }) => ({ method, path })),
    queryForms: ({ key }) => forms.get(key) ?? {},
  });
  return { module: OpenApiModule, controllers };
}

/** Where the API is, and what sends requests there. */
function findApi(
  options: OpenApiOptions,
  { servers }: OpenApiDocument,
): { readonly carrier: Carrier; readonly baseUrl?: string } {
  if (options.carrier !== undefined) return { carrier: options.carrier };
  const baseUrl = baseUrlFor(options, servers);
  const { timeout = TIMEOUT, retries = RETRIES, fetch = globalThis.fetch } = options;
  const keyHeader = options.idempotency?.toLowerCase();
  return { baseUrl, carrier: upstreamCarrier({ baseUrl, timeout, retries, fetch, keyHeader }) };
}

/** The servers of a document that was fetched are not its user's words. */
function baseUrlFor({ baseUrl, insecure = false }: OpenApiOptions, servers: readonly string[]): string {
  const given = baseUrl ?? (servers.length === 1 ? servers[0] : undefined);
  if (given === undefined) throw noBaseUrl('is missing, and the document does not name one server.');
  if (!URL.canParse(given)) throw noBaseUrl(`is ${JSON.stringify(given)}, which is not an absolute URL.`);
  const url = new URL(given);
  if (`${url.username}${url.search}${url.hash}` !== '') throw noBaseUrl('has a user, a query or a fragment.');
  const isPrivate = url.protocol === 'https:' || (url.protocol === 'http:' && reachesLoopback(url));
  if (isPrivate || (url.protocol === 'http:' && insecure)) return given;
  throw noBaseUrl(`is ${JSON.stringify(given)}, where credentials could be read on the way.`);
}

function noBaseUrl(what: string): ToolwrightError {
  return new ToolwrightError('TW_OPENAPI_BASE_URL', {
    where: `${WHERE}, option baseUrl`,
    what,
    fix: "baseUrl: 'https://api.example/v1'; insecure: true allows http on another machine",
  });
}

/** What was sent to this server is not sent to another one (spec: basic/authorization, Token Passthrough). */
function identityOption({ carrier, identity }: OpenApiOptions): IdentityOption {
  if (carrier !== undefined || identity !== 'same-server')
    return identity ?? (carrier === undefined ? 'none' : 'same-server');
  throw new ToolwrightError('TW_APPLICATION_OPTION', {
    where: `${WHERE}, option identity`,
    what: 'is "same-server", and the API is another server.',
    fix: 'auth: { scheme: { for: (caller) => … } }, with a token that was issued for the API',
  });
}
