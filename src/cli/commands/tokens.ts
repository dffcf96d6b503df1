import { defaultRegistry } from '../../formats/index.ts';
import type { McpApplication } from '../../index.ts';
import { membersOf } from '../../shared/json.ts';
import {
  countActionTokens,
  countToolTokens,
  type SurfaceTokens,
  type ToolTokens,
} from '../../tokens/index.ts';
import type { RunCommand } from '../command.ts';
import { isLockReference, openSource } from '../lock/lock-source.ts';
import { readManifest, settingsIn } from '../manifest.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { readSurfaceOfTarget } from '../surface/read-surface.ts';
import { asListed } from '../surface/surface.ts';
import { openTarget, type TargetOptions } from '../target/target.ts';
import { LiveCount, type LiveOptions } from '../tokens/live-count.ts';
import { PROVIDERS } from '../tokens/providers.ts';
import {
  exceededBudgets,
  tokenTable,
  type Alternative,
  type TokenBudget,
  type TokenReport,
} from '../tokens/token-report.ts';

type Form = 'mcp' | 'openai' | 'anthropic' | 'gemini';

interface TokensOptions extends TargetOptions {
  readonly for?: Form;
  /** Asks the provider. */
  readonly live?: boolean;
  readonly model?: string;
  readonly budget?: number;
  readonly perTool?: number;
}

/** Counts what a model pays for the tools of a server. */
export const run: RunCommand<TokensOptions> = async ({ values: [reference], options }, terminal) => {
  const { for: form = 'mcp', live = false, model, budget, perTool, ...target } = options;
  const counter = live
    ? liveCounter(form, { model, timeout: target.timeout }, terminal)
    : offlineCounter(form);
  if (model !== undefined && !live) throw unasked();
  const progress = terminal.progress('Counting');
  progress.begin();
  const report = await readReport(reference, counter, target).finally(() => {
    progress.end();
  });
  const tools = report.tools.map((tool) => ({ ...tool, name: terminal.label(tool.name) }));
  const shown = { ...report, tools };
  terminal.give(report, () => tokenTable(shown, terminal.width));
  const limits = { ...budgetOfPackage(), ...defined({ budget, perTool }) };
  const exceeded = exceededBudgets(shown, limits);
  for (const sentence of exceeded) terminal.complain(`${terminal.talk.red('over budget')}  ${sentence}`);
  return exceeded.length > 0 ? EXIT.finding : EXIT.done;
};

/** A way to count tools in the form of a model's API. */
interface Counter {
  readonly form: Form;
  readonly isExact: boolean;
  /** A whole list, as MCP has it. */
  count(tools: readonly object[]): Promise<number>;
  /** With the share of each tool. */
  countEach(tools: readonly object[]): Promise<SurfaceTokens & Pick<TokenReport, 'partsOf'>>;
}

function offlineCounter(form: Form): Counter {
  const countEach = (tools: readonly object[]): Promise<SurfaceTokens> =>
    countToolTokens(inForm(tools, form));
  return {
    form,
    isExact: form === 'mcp',
    count: async (tools) => (await countEach(tools)).tokens,
    countEach,
  };
}

/** What a provider counts; what the tokens are spent on stays an estimate. */
function liveCounter(form: Form, options: LiveOptions, { env }: Terminal): Counter {
  if (form === 'mcp') {
    throw new CliError('TW_CLI_OPTION', {
      where: '--live',
      what: 'asks a provider, and none is named.',
      fix: `--for ${Object.keys(PROVIDERS).join(', --for ')}`,
    });
  }
  const provider = PROVIDERS[form];
  const live = new LiveCount(provider, env, options);
  const count = (tools: readonly object[]): Promise<number> => live.count(inForm(tools, provider.format));
  return {
    form,
    isExact: true,
    count,
    countEach: async (tools) => {
      const estimate = await countToolTokens(inForm(tools, form));
      const tokens = await count(tools);
      const shares: ToolTokens[] = [];
      for (const [index, tool] of estimate.tools.entries())
        shares.push({ ...tool, tokens: tokens - (await count(tools.toSpliced(index, 1))) });
      const of = `what ${provider.title} counts for ${live.model}`;
      return { tokens, tools: shares, of, partsOf: estimate.of };
    },
  };
}

function unasked(): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: '--model',
    what: 'names the model that a provider counts for, and no provider is asked.',
    fix: '--live --model <name>',
  });
}

async function readReport(
  reference: string | undefined,
  counter: Counter,
  options: TargetOptions,
): Promise<TokenReport> {
  if (reference !== undefined && isLockReference(reference)) {
    const { surface } = await openSource(reference, options);
    // A lock file sorts the members of its objects, which can change a count by a few tokens
    return { ...(await reportOf(surface.tools.map(asListed), counter)), isExact: false };
  }
  const target = await openTarget(reference, options);
  try {
    const { tools } = await readSurfaceOfTarget(target, options);
    const report = await reportOf(tools.map(asListed), counter);
    const { application } = target;
    if (application === undefined) return report;
    const isOwn = options.surface === undefined && options.client === undefined;
    const actions = isOwn ? await countActionTokens(application, (tools) => counter.count(tools)) : {};
    return { ...report, actions, alternatives: await countAlternatives(application, counter, report.tokens) };
  } finally {
    await target.close();
  }
}

async function reportOf(tools: readonly object[], counter: Counter): Promise<TokenReport> {
  const { form, isExact } = counter;
  return { ...(await counter.countEach(tools)), form, isExact, actions: {}, alternatives: [] };
}

function inForm(tools: readonly object[], format: string): readonly object[] {
  if (format === 'mcp') return tools;
  return defaultRegistry().convertMany(tools, 'mcp', format).tools as readonly object[];
}

/** The same actions, each in another way. */
async function countAlternatives(
  app: McpApplication,
  counter: Counter,
  current: number,
): Promise<readonly Alternative[]> {
  const counted: Alternative[] = [];
  const add = async (name: string, tools: readonly object[]): Promise<void> => {
    const tokens = await counter.count(tools);
    const largest = await findLargest(inForm(tools, counter.form));
    counted.push({ name, tools: tools.length, tokens, largest, isCurrent: tokens === current });
  };
  for (const [describe, title] of DESCRIPTIONS) {
    const { tools } = await app.export('mcp', { expose: 'grouped', describe });
    await add(`grouped, ${title}`, tools as readonly object[]);
  }
  for (const surface of ['grouped-by-risk', 'flat', 'progressive'] as const) {
    const listed = app.registry.listed(app.registry.surfaceNamed(surface));
    await add(
      surface,
      listed.map(({ definition }) => definition),
    );
  }
  return counted;
}

const DESCRIPTIONS = [
  ['plain', 'plain descriptions'],
  ['toon', 'TOON descriptions'],
  ['signatures', 'signatures'],
] as const;

async function findLargest(tools: readonly object[]): Promise<Alternative['largest']> {
  const counted = await countToolTokens(tools);
  const [largest] = counted.tools.toSorted((left, right) => right.tokens - left.tokens);
  return largest === undefined ? null : { name: largest.name, tokens: largest.tokens };
}

/** `toolwright.tokens` of the package.json in the current folder. */
function budgetOfPackage(): TokenBudget {
  const { tokens } = settingsIn(readManifest(process.cwd()));
  const { budget, perTool } = membersOf(tokens);
  return defined({
    budget: typeof budget === 'number' ? budget : undefined,
    perTool: typeof perTool === 'number' ? perTool : undefined,
  });
}

function defined({ budget, perTool }: TokenBudget): TokenBudget {
  return { ...(budget === undefined ? {} : { budget }), ...(perTool === undefined ? {} : { perTool }) };
}
