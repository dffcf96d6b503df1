import { createContract } from '../compile/contracts/create-contract.ts';
import type { Contract } from '../compile/contracts/contract.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ProblemList } from '../errors/problem-list.ts';
import { ToolError, type ToolContext } from '../index.ts';
import { warn } from '../operations/api-options.ts';
import { createHandler, type OperationHandler } from '../operations/operation-controllers.ts';
import { askWhether, nearestName } from '../shared/did-you-mean.ts';
import { isPlainObject, parseJson, type PlainObject } from '../shared/json.ts';
import { anObject, required, type OptionRules } from '../shared/option-rules.ts';
import { Credentials } from './credentials.ts';
import { furtherRoutes, type DocumentPart } from './document-part.ts';
import { findApi, findFetch } from './find-api.ts';
import { OPENAPI_RULES, type OpenApiOptions } from './options.ts';
import { readOffered } from './read-api.ts';
import { readOperations } from './read-operations.ts';

/** Options of {@link OpenApiClient}: where an API is, and how it is called. */
export interface OpenApiClientOptions extends Pick<
  OpenApiOptions,
  | 'baseUrl'
  | 'insecure'
  | 'credentials'
  | 'carrier'
  | 'identity'
  | 'idempotency'
  | 'retries'
  | 'timeout'
  | 'maxAnswerBytes'
  | 'network'
  | 'fetch'
  | 'logger'
> {
  /** The part of a document that `toolwright import openapi` has written. */
  readonly operations: DocumentPart;
}

const {
  document: _document,
  include: _include,
  exclude: _exclude,
  maxActions: _maxActions,
  group: _group,
  actions: _actions,
  requirements: _requirements,
  curation: _curation,
  fieldTexts: _fieldTexts,
  describe: _describe,
  ...CALLED_RULES
} = OPENAPI_RULES;

const RULES: OptionRules<OpenApiClientOptions> = { ...CALLED_RULES, operations: required(anObject) };
const WHERE = 'OpenApiClient';

interface CalledOperation {
  readonly invoke: OperationHandler['invoke'];
  readonly contract: Contract | undefined;
}

/**
 * Calls the operations of an API from actions of your own. `toolwright import openapi` writes a class of it, with the options.
 *
 * @example
 * import { Injectable } from 'toolwright';
 * import { OpenApiClient } from 'toolwright/openapi';
 *
 * const paths = { '/orders': { get: { operationId: 'list' } } };
 * const operations = { openapi: '3.1.0', paths };
 *
 * class ShopClient extends OpenApiClient {
 *   constructor() {
 *     super({ operations, baseUrl: 'https://api.shop.example/v1' });
 *   }
 * }
 * Injectable()(ShopClient);
 */
export class OpenApiClient {
  readonly #operations: ReadonlyMap<string, CalledOperation>;

  /** @throws ToolwrightError TW_OPENAPI_BASE_URL; ApplicationError with every credential that is missing */
  constructor(options: OpenApiClientOptions) {
    refuseOptions('TW_APPLICATION_OPTION', WHERE, options, RULES);
    const root = options.operations;
    const run = findApi(options, { servers: [] }, WHERE);
    const all = readOperations({ root });
    const offered = all.map((each) => ({ ...each, settings: each.declared ?? {} }));
    const { operations, forms, warnings } = readOffered({ root, servers: [] }, offered, {});
    const problems = new ProblemList();
    const credentials = new Credentials(root, options.credentials ?? {}, problems, {
      ...options,
      fetch: findFetch(options, WHERE),
      baseUrl: run.baseUrl,
    });
    const signers = new Map(operations.map((each) => [each.key, credentials.signerFor(each)]));
    credentials.report(problems);
    problems.throwIfAny(WHERE);
    for (const warning of warnings) warn(options.logger, warning);
    const whole = {
      ...run,
      routes: [...all.map(({ method, path }) => ({ method, path })), ...furtherRoutes(root)],
      queryForms: ({ key }: { readonly key: string }) => forms.get(key) ?? {},
      sign: ({ key }: { readonly key: string }) => signers.get(key) ?? ((request) => request),
    };
    this.#operations = new Map(
      operations.map((operation) => {
        const { invoke, input } = createHandler(operation, whole);
        const { source } = input;
        const contract =
          source === undefined
            ? undefined
            : createContract(source, { unknownFields: 'strict', where: operation.key });
        return [operation.key, { invoke, contract }];
      }),
    );
  }

  /**
   * Sends the request of an operation, and gives what the action returns. The input is checked against the document first:
   * classes cannot say all of it.
   * @param key the method and the path: `GET /orders/{id}`
   * @throws ToolError for an input or an answer that is wrong
   */
  async call(key: string, input: object, context: ToolContext): Promise<unknown> {
    const operation = this.#operations.get(key);
    if (operation === undefined) throw this.#unknown(key);
    // Instances of classes become what is sent
    const sent = parseJson(JSON.stringify(input));
    const given = isPlainObject(sent) ? sent : {};
    return operation.invoke(await checked(given, operation.contract), context);
  }

  #unknown(key: string): TypeError {
    const nearest = nearestName(key, [...this.#operations.keys()]);
    const help = nearest === undefined ? '' : ` ${askWhether(nearest)}`;
    return new TypeError(`${WHERE} knows no operation ${JSON.stringify(key)}.${help}`);
  }
}

async function checked(given: PlainObject, contract: Contract | undefined): Promise<PlainObject> {
  if (contract === undefined) return {};
  const outcome = await contract.check(given);
  if (outcome.ok) return outcome.value as PlainObject;
  const text = outcome.issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ToolError('VALIDATION_FAILED', text, { details: { issues: outcome.issues } });
}
