import { refuseOptions } from '../errors/option-errors.ts';
import type { McpApplication, SurfaceName } from '../index.ts';
import { membersOf } from '../shared/json.ts';
import { either, oneOf, rule, wholeNumber, type OptionRules } from '../shared/option-rules.ts';
import { countToolTokens, loadTokenizer } from '../tokens/index.ts';
import { checkCases, type EvalCase } from './eval-case.ts';
import { lintTools, type EvalFinding } from './lint-tools.ts';
import { measureShare, type EvalShare } from './metrics.ts';
import type { EvalModel } from './model.ts';
import { rankCases, type EvalRetrieval } from './retrieval.ts';
import { runCase, type EvalRun } from './run-case.ts';
import { withoutSecrets } from './secrets.ts';
import { checkActions, SurfaceTools } from './surface-tools.ts';

/** How cases are run. */
export interface EvalOptions {
  /** The surface whose tools the model is given. Default `own`, what the groups say. */
  readonly surface?: SurfaceName;
  /** Who is asked. Default `scripted`: the expected calls are made, which checks the cases, and asks no model. */
  readonly model?: 'scripted' | EvalModel;
  /** How often each case is run. Default 1. */
  readonly trials?: number;
  /** How long each answer of the model may take, in milliseconds; a case whose answer is late has failed. Default 60,000. */
  readonly timeout?: number;
}

/** What is measured, each apart: there is no single score. Runs to which one does not apply do not count for it. */
export interface EvalMetrics {
  /** The first action that was called is an expected one. */
  readonly selection: EvalShare;
  /** Nothing was called, in cases where nothing should be. */
  readonly noCall: EvalShare;
  /** The first call of an expected action was accepted by its checks. */
  readonly validArguments: EvalShare;
  /** All expected calls were made with their inputs. */
  readonly expectedArguments: EvalShare;
  /** Calls that were not accepted, and were right at the second try. */
  readonly repaired: EvalShare;
  /** The case is done: all of it was called, it worked, and `after` agrees. */
  readonly done: EvalShare;
  /** Cases that were done in every trial. */
  readonly doneEveryTime: EvalShare;
}

/** What came of the cases on one surface. */
export interface EvalReport {
  /** The surface. */
  readonly surface: SurfaceName;
  /** The name of the model; `scripted` where none was asked. */
  readonly model: string;
  /** The hash of all that the application offers, as its lock file has it. */
  readonly surfaceHash: string;
  /** How many tools the surface lists. */
  readonly tools: number;
  /** Their tokens, in the encoding o200k_base. */
  readonly definitionTokens: number;
  /** The tool with the most of them; null where no tool is listed. */
  readonly largestTool: { readonly name: string; readonly tokens: number } | null;
  /** Figures of the runs that are not stale. */
  readonly metrics: EvalMetrics;
  /** Calls that nothing expected, in all runs. */
  readonly extraCalls: number;
  /** What a search finds. */
  readonly retrieval: EvalRetrieval;
  /** Texts that make it hard to choose. */
  readonly findings: readonly EvalFinding[];
  /** Case after case, and trial after trial. */
  readonly runs: readonly EvalRun[];
}

export const EVAL_RULES: OptionRules<EvalOptions> = {
  surface: oneOf('own', 'grouped', 'grouped-by-risk', 'flat', 'progressive'),
  model: either(
    oneOf('scripted'),
    rule(
      'a model with name, format and respond',
      (value) => typeof membersOf(value)['respond'] === 'function',
    ),
  ),
  trials: wholeNumber(1, 1000),
  timeout: wholeNumber(1, 2 ** 31 - 1),
};

/**
 * Runs cases against the tools of a surface: the model is given the tools and the request, its calls are made, and it is given
 * the results until it calls nothing more.
 * @param open creates the application, a new one for each run, so that no run sees what another one did; it is closed afterwards
 * @throws ToolwrightError TW_EVALS_CASE, TW_EVALS_MODEL, TW_EVALS_OPTION
 *
 * @example
 * const cases: readonly EvalCase[] = [{ name: 'thanks', ask: 'Thank you', expect: 'none' }];
 * const { metrics } = await runEvals(() => McpApplication.create(AppModule), cases, { surface: 'flat' });
 * console.log(metrics.done); // { passed: 1, of: 1, share: 1, low: 0.2065, high: 1 }
 */
export async function runEvals(
  open: () => Promise<McpApplication>,
  cases: readonly EvalCase[],
  options: EvalOptions = {},
): Promise<EvalReport> {
  refuseOptions('TW_EVALS_OPTION', 'runEvals()', options, EVAL_RULES);
  checkCases(cases, 'runEvals()');
  const { surface = 'own', model = 'scripted', trials = 1, timeout = 60_000 } = options;
  const count = await loadTokenizer();
  const offline = await withApplication(open, surface, async (app, tools) => {
    checkActions(cases, tools);
    const counted = await countToolTokens(tools.definitions);
    const [largestTool] = counted.tools
      .map(({ name, tokens }) => ({ name, tokens }))
      .toSorted((left, right) => right.tokens - left.tokens);
    return {
      surfaceHash: app.surfaceHash,
      tools: tools.definitions.length,
      definitionTokens: counted.tokens,
      largestTool: largestTool ?? null,
      retrieval: await rankCases(cases, tools),
      findings: await lintTools(app, tools),
    };
  });
  const runs: EvalRun[] = [];
  for (const each of cases)
    for (let trial = 1; trial <= trials; trial += 1)
      runs.push(
        await withApplication(open, surface, (app, tools) =>
          runCase(each, { app, tools, model, trial, timeout, count }),
        ),
      );
  // What a model writes, and what a call answers, may have a key in it
  return withoutSecrets({
    surface,
    model: model === 'scripted' ? model : model.name,
    ...offline,
    metrics: measure(runs),
    extraCalls: runs.reduce((sum, { extraCalls }) => sum + extraCalls, 0),
    runs,
  });
}

async function withApplication<Result>(
  open: () => Promise<McpApplication>,
  surface: SurfaceName,
  use: (app: McpApplication, tools: SurfaceTools) => Promise<Result>,
): Promise<Result> {
  const app = await open();
  try {
    return await use(app, await SurfaceTools.open(app, surface));
  } finally {
    await app.close();
  }
}

function measure(runs: readonly EvalRun[]): EvalMetrics {
  const fresh = runs.filter(({ status }) => status !== 'stale');
  const byCase = new Map<string, boolean>();
  for (const { case: name, status } of fresh)
    byCase.set(name, (byCase.get(name) ?? true) && status === 'done');
  const checked = (name: keyof EvalRun['checks']): EvalShare =>
    measureShare(fresh.map(({ checks }) => checks[name]));
  return {
    selection: checked('selection'),
    noCall: checked('noCall'),
    validArguments: checked('validArguments'),
    expectedArguments: checked('expectedArguments'),
    repaired: checked('repaired'),
    done: measureShare(fresh.map(({ status }) => status === 'done')),
    doneEveryTime: measureShare([...byCase.values()]),
  };
}
