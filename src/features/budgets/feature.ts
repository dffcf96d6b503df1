import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { aFunction } from '../../shared/option-rules.ts';
import { entriesIn } from '../../runtime/store/owned-entries.ts';
import { fitsClients } from '../client-results/index.ts';
import { readAsTools } from '../primitive-tools/index.ts';
import { feature } from '../feature.ts';
import {
  budgetOf,
  budgetRule,
  defaultBudget,
  ownLength,
  type BudgetOptions,
  type ScannedBudget,
} from './budget.ts';
import type {} from './call-fields.ts';
import { compileFit, fitToolResult } from './fit-outcome.ts';
import { bindBudget, budgetWarnings, preparePage } from './fitting.ts';
import { readResultTool } from './read-result.ts';
import { readStored, STORED_RESULTS, StoredResults } from './stored-results.ts';

/** How large a result may be in every application, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** How large results may be: `@Budget`, `limits.budget`, and results that are stored and linked. */
export const budgets = feature({
  name: 'budgets',
  decorators: [{ name: '@Budget', rule: budgetRule, whyOnly: 'only the results of actions have a budget.' }],
  options: {
    callLimits: { budget: budgetRule },
    limits: { countTokens: aFunction },
  },
  saidIn: ({ budget }): BudgetOptions | undefined => budget,
  withDefaults: (options) => {
    const budget = { bytes: MOST_BYTES, ...withoutUndefined(options.limits?.budget ?? {}) };
    return { ...options, limits: { ...options.limits, budget } };
  },
  around: ({ limits = {} }): ScannedBudget => defaultBudget(limits),
  readAction: (uses, around) =>
    budgetOf(
      uses.map(({ options }) => options),
      around,
    ),

  prepareAction: ({ scanned, output }, _kept, problems) => preparePage(scanned, output, problems),
  resultLength: ownLength,
  bindAction: bindBudget,
  warningsOf: budgetWarnings,

  stages: [{ ring: 'attempt', place: 'fit', compile: compileFit }],
  wanted: ({ scanned, options }) =>
    scanned !== undefined &&
    (scanned.resources.length > 0 ||
      options.limits?.budget !== undefined ||
      hasOwnBudget(scanned) ||
      fitsClients(options.surface) ||
      readAsTools(options.surface).resources === true),
  madeOf: ['name', 'secrets'],
  state: ({ server, secrets, logger, storeFor }) =>
    new StoredResults({ store: storeFor(STORED_RESULTS), server, secrets, logger }),
  offers: (state) => (state === undefined ? [] : ['resources']),
  read: readStored,
  tools: (state, { 'primitive-tools': asTools }) =>
    state === undefined ? [] : [readResultTool(state, asTools?.resources ?? false)],
  fitResult: fitToolResult,
  stores: (state) => ({ [STORED_RESULTS]: [entriesIn(state?.store, STORED_RESULTS)] }),
});

function hasOwnBudget(scanned: ScannedApplication | undefined): boolean {
  const actions = scanned?.tools.flatMap((tool) => tool.actions) ?? [];
  return actions.some(({ slots }) => (slots['budgets'] as ScannedBudget | undefined)?.isOwn);
}
