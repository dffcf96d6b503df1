import { refuseOptions } from '../errors/option-errors.ts';
import type { Problem } from '../errors/problem-list.ts';
import { Module, type DynamicModule } from '../index.ts';
import { warn } from '../operations/api-options.ts';
import { readCurationFile, withCurationFile } from '../operations/curation-file.ts';
import { createControllers, type OperationRun } from '../operations/operation-controllers.ts';
import { findChanges } from './fingerprint.ts';
import { Credentials } from './credentials.ts';
import { findApi, findFetch } from './find-api.ts';
import { OPENAPI_RULES, type OpenApiOptions } from './options.ts';
import { readApi, type ReadApi } from './read-api.ts';
import { readDocument, type OpenApiDocument } from './read-document.ts';

/** The form of most actions for the fewest tokens. */
export const DESCRIBED = 'signatures';

const WHERE = 'OpenApiModule.forRoot()';

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
 *   credentials: { token: { env: 'SHOP_TOKEN' } },
 * });
 * const app = await McpApplication.create(api);
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- it is the module, and users know `forRoot` of such
export class OpenApiModule {
  /**
   * Makes the module.
   * @throws ToolwrightError TW_OPENAPI_DOCUMENT, TW_OPENAPI_BASE_URL; ApplicationError with every problem of the operations
   */
  static async forRoot(given: OpenApiOptions): Promise<DynamicModule> {
    refuseOptions('TW_APPLICATION_OPTION', WHERE, given, OPENAPI_RULES);
    const options = withCurationFile(given) as OpenApiOptions;
    const fetch = findFetch(options, WHERE);
    const document = await readDocument(options.document, fetch);
    const api = findApi(options, document, WHERE);
    const read = readApi(document, options);
    const { problems, operations } = read;
    const credentials = new Credentials(document.root, options.credentials ?? {}, problems, {
      ...options,
      fetch,
      baseUrl: api.baseUrl,
    });
    const signers = new Map(operations.map((each) => [each.key, credentials.signerFor(each)]));
    credentials.report(problems);
    problems.throwIfAny(WHERE);
    for (const warning of [...read.warnings, ...changesSince(given.curation, document, read)])
      warn(options.logger, warning);
    return createModule(read, {
      ...api,
      describe: options.describe,
      defaultDescribe: DESCRIBED,
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
