import { readFileSync } from 'node:fs';
import { defaultRegistry } from '../../formats/index.ts';
import type { McpApplication } from '../../index.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { countToolTokens } from '../../tokens/index.ts';
import type { RunCommand } from '../command.ts';
import { isLockReference, openSource } from '../lock/lock-source.ts';
import { EXIT } from '../output/exit-codes.ts';
import { readSurfaceOfTarget } from '../surface/read-surface.ts';
import { asListed } from '../surface/surface.ts';
import { openTarget, type TargetOptions } from '../target/target.ts';
import {
  exceededBudgets,
  tokenTable,
  type ActionTokens,
  type Alternative,
  type TokenBudget,
  type TokenReport,
} from '../tokens/token-report.ts';

type Form = 'mcp' | 'openai' | 'anthropic' | 'gemini';

interface TokensOptions extends TargetOptions {
  readonly for?: Form;
  readonly budget?: number;
  readonly perTool?: number;
}

/** Counts what a model pays for the tools of a server. */
export const run: RunCommand<TokensOptions> = async ({ values: [reference], options }, terminal) => {
  const { for: form = 'mcp', budget, perTool, ...target } = options;
  const report = await readReport(reference, form, target);
  terminal.give(report, () => terminal.foreign(tokenTable(report)));
  const limits = { ...budgetOfPackage(), ...defined({ budget, perTool }) };
  const exceeded = exceededBudgets(report, limits);
  for (const sentence of exceeded) terminal.complain(`${terminal.talk.red('over budget')}  ${sentence}`);
  return exceeded.length > 0 ? EXIT.finding : EXIT.done;
};

async function readReport(
  reference: string | undefined,
  form: Form,
  options: TargetOptions,
): Promise<TokenReport> {
  if (reference !== undefined && isLockReference(reference)) {
    const { surface } = await openSource(reference, options);
    // A lock file sorts the members of its objects, which can change a count by a few tokens
    return { ...(await reportOf(surface.tools.map(asListed), form)), isExact: false };
  }
  const target = await openTarget(reference, options);
  try {
    const { tools } = await readSurfaceOfTarget(target, options);
    const report = await reportOf(tools.map(asListed), form);
    const { application } = target;
    if (application === undefined) return report;
    const actions = await countActions(application, form);
    return { ...report, actions, alternatives: await countAlternatives(application, form, report.tokens) };
  } finally {
    await target.close();
  }
}

async function reportOf(tools: readonly object[], form: Form): Promise<TokenReport> {
  const counted = await countToolTokens(inForm(tools, form));
  return { ...counted, form, isExact: form === 'mcp', actions: {}, alternatives: [] };
}

function inForm(tools: readonly object[], form: Form): readonly object[] {
  if (form === 'mcp') return tools;
  return defaultRegistry().convertMany(tools, 'mcp', form).tools as readonly object[];
}

/** An action costs what its tool is shorter without it. */
async function countActions(app: McpApplication, form: Form): Promise<TokenReport['actions']> {
  const counted: Record<string, readonly ActionTokens[]> = {};
  for (const definition of app.definitions) {
    const keys = definition.actions().map(({ key }) => key);
    if (keys.length < 2) continue;
    const { name } = definition;
    const whole = (await countToolTokens(inForm([definition], form))).tokens;
    const own: ActionTokens[] = [];
    for (const key of keys) {
      app.registry.disable(name, key);
      const left = app.definitions.filter((other) => other.name === name);
      own.push({ key, tokens: whole - (await countToolTokens(inForm(left, form))).tokens });
      app.registry.enable(name, key);
    }
    counted[name] = own;
  }
  return counted;
}

/** The same groups, each in another way. */
async function countAlternatives(
  app: McpApplication,
  form: Form,
  current: number,
): Promise<readonly Alternative[]> {
  const ways = [
    ['grouped, plain descriptions', { expose: 'grouped', describe: 'plain' }],
    ['grouped, TOON descriptions', { expose: 'grouped', describe: 'toon' }],
    ['one tool for each action', { expose: 'flat' }],
  ] as const;
  const counted: Alternative[] = [];
  for (const [name, way] of ways) {
    const { tools } = await app.export('mcp', way);
    const { tokens } = await countToolTokens(inForm(tools as readonly object[], form));
    counted.push({ name, tokens, isCurrent: tokens === current });
  }
  return counted;
}

/** `toolwright.tokens` of the package.json in the current folder. */
function budgetOfPackage(): TokenBudget {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync('package.json', 'utf8'));
  } catch {
    return {};
  }
  const settings = memberOf(memberOf(content, 'toolwright'), 'tokens');
  const [budget, perTool] = [settings['budget'], settings['perTool']];
  return defined({
    budget: typeof budget === 'number' ? budget : undefined,
    perTool: typeof perTool === 'number' ? perTool : undefined,
  });
}

function memberOf(value: unknown, name: string): PlainObject {
  const member = isPlainObject(value) ? value[name] : undefined;
  return isPlainObject(member) ? member : {};
}

function defined({ budget, perTool }: TokenBudget): TokenBudget {
  return { ...(budget === undefined ? {} : { budget }), ...(perTool === undefined ? {} : { perTool }) };
}
