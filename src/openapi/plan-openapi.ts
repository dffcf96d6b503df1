import { refuseOptions } from '../errors/option-errors.ts';
import type { Problem } from '../errors/problem-list.ts';
import { limitFrom } from '../operations/curation.ts';
import { withCurationFile } from '../operations/curation-file.ts';
import { planModule, type ApiPlan } from '../operations/plan.ts';
import { wholeNumber } from '../shared/option-rules.ts';
import { createModule, DESCRIBED } from './openapi-module.ts';
import { compareFingerprints, takeFingerprints, type OperationFingerprints } from './fingerprint.ts';
import { findFetch } from './find-api.ts';
import { OPENAPI_RULES, type OpenApiOptions } from './options.ts';
import { readApi } from './read-api.ts';
import { readDocument, type OpenApiSource } from './read-document.ts';

/** Options of {@link planOpenApi}: those of `OpenApiModule.forRoot()`, of which credentials and addresses count for nothing. */
export interface OpenApiPlanOptions extends Omit<OpenApiOptions, 'document'> {
  /** How many tokens the list of all tools may cost. Default: any number. */
  readonly maxTokens?: number;
}

/** What a document would offer, what it costs, and what it was. */
export interface OpenApiPlan extends ApiPlan {
  /** What each operation was that is offered: a later document is compared with it. */
  readonly fingerprints: OperationFingerprints;
}

const WHERE = 'planOpenApi()';

/**
 * What `OpenApiModule.forRoot()` would offer of a document, and what it costs: each group with its tokens, and why each of the
 * other operations is left out. Nothing is called, and no credentials are needed.
 *
 * @throws ToolwrightError TW_OPENAPI_DOCUMENT; ApplicationError with every problem but that of too many actions
 * @example
 * import { planOpenApi } from 'toolwright/openapi';
 *
 * const { groups, include } = await planOpenApi('./shop.openapi.json', { maxActions: 20 });
 */
export async function planOpenApi(
  document: OpenApiSource,
  given: OpenApiPlanOptions = {},
): Promise<OpenApiPlan> {
  refuseOptions('TW_APPLICATION_OPTION', WHERE, { ...given, document }, RULES);
  const options: OpenApiPlanOptions = withCurationFile(given);
  const whole = await readDocument(document, findFetch(options, WHERE));
  const read = readApi(whole, { ...options, maxActions: Infinity });
  read.problems.throwIfAny(WHERE);
  const module = createModule(read, {
    carrier: () => Promise.reject(new Error('a plan calls nothing')),
    identity: () => ({}),
    openWorld: options.carrier === undefined,
    describe: options.describe,
    defaultDescribe: DESCRIBED,
    maxAnswerBytes: 1,
  });
  const limits = { maxActions: limitFrom(options), maxTokens: options.maxTokens };
  const plan = await planModule(read.curated, module, {}, limits);
  return { ...plan, fingerprints: takeFingerprints(whole.root, read.operations) };
}

const RULES = { ...OPENAPI_RULES, maxTokens: wholeNumber(1) };

/**
 * Which operations are others than they were when classes were written.
 *
 * @param known what they were: the content of `operations.json`
 * @param plan a new plan
 * @param where names the file in the problem
 * @returns one warning, TW_OPENAPI_CHANGED; none where all is the same
 * @example
 * import { findOpenApiChanges, planOpenApi } from 'toolwright/openapi';
 *
 * const known = { 'GET /orders': { inputs: '5f2c', answer: '09ab', texts: '77d1' } };
 * const changes = findOpenApiChanges(known, await planOpenApi('./shop.openapi.json'), 'src/api/operations.json');
 */
export function findOpenApiChanges(
  known: OperationFingerprints,
  plan: Pick<OpenApiPlan, 'operations' | 'fingerprints'>,
  where: string,
): readonly Problem[] {
  return compareFingerprints(known, plan, where);
}
