import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import {
  liveModel,
  recordedModel,
  recordModel,
  runEvals,
  type EvalCase,
  type EvalModel,
  type EvalReport,
} from '../../evals/index.ts';
import { McpApplication, type SurfaceName } from '../../index.ts';
import type { RunCommand } from '../command.ts';
import { SURFACES } from '../option-values.ts';
import { casesFromLog, draftCases } from '../evals/draft-cases.ts';
import { writeYaml } from '../evals/yaml.ts';
import { readSuites, type PlacedSuite } from '../evals/read-suites.ts';
import { writeJsonLines, writeJunit, writeText, type EvalFormat, type Stale } from '../evals/write-report.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry, type LoadedEntry } from '../target/entry.ts';

interface EvalOptions {
  readonly surface?: SurfaceName | 'all';
  /** `scripted`, `recorded` or `live:<provider>/<model>`. */
  readonly model?: string;
  readonly recording?: string;
  readonly record?: boolean;
  readonly stale?: Stale;
  readonly trials?: number;
  /** The least share of done cases, from 0 to 1. */
  readonly min?: number;
  readonly format?: EvalFormat;
  readonly output?: string;
  readonly timeout?: number;
}

const RECORDING = 'evals.recorded.jsonl';
const LIVE = 'live:';
const DRAFTS =
  '# Drafts. Who writes the requests should not look at the names and descriptions of the actions.\n';

/** Runs cases against an application, or writes drafts of them. */
export const run: RunCommand<EvalOptions> = async ({ values, options }, terminal) => {
  const [first, second, third] = values;
  if (first === 'init') return writeDrafts(second, options, terminal, async (app) => draftCases(app));
  if (first === 'from') {
    if (second === undefined) throw noLog();
    const text = await readFile(second, 'utf8').catch((cause: unknown) => {
      throw noLog(cause);
    });
    return writeDrafts(third, options, terminal, async (app) => casesFromLog(text, app));
  }
  const suites = await readSuites(values);
  // One for all suites and surfaces: a recording has the answers of a whole run
  const model = await openModel(options);
  const reports: EvalReport[] = [];
  for (const suite of suites) reports.push(...(await runSuite({ suite, model }, options, terminal)));
  return giveReports(reports, options, terminal);
};

async function runSuite(
  { suite, model }: { readonly suite: PlacedSuite; readonly model: 'scripted' | EvalModel },
  { surface = 'own', trials = 1, timeout }: EvalOptions,
  terminal: Terminal,
): Promise<readonly EvalReport[]> {
  const entry = await loadEntry(suite.entry, { timeout, trustsCallers: 'unless-local' });
  const progress = terminal.progress(suite.file);
  progress.begin();
  try {
    const reports: EvalReport[] = [];
    const limit = timeout === undefined ? {} : { timeout };
    for (const each of surface === 'all' ? SURFACES : [surface]) {
      const options = { surface: each, model, trials, ...limit };
      reports.push(await runEvals(() => createAgain(entry), suite.cases, options));
    }
    return reports;
  } finally {
    progress.end();
    await entry.close();
  }
}

/** A new one for each case, so that no case sees what another one did. */
function createAgain({ created: { rootModule, options } }: LoadedEntry): Promise<McpApplication> {
  return McpApplication.create(rootModule as Parameters<typeof McpApplication.create>[0], options);
}

async function openModel({
  model = 'scripted',
  recording = RECORDING,
  record = false,
}: EvalOptions): Promise<'scripted' | EvalModel> {
  if (record && !model.startsWith(LIVE)) {
    throw new CliError('TW_CLI_OPTION', {
      where: '--record',
      what: 'records the answers of a model, and none is asked.',
      fix: '--model live:openai/<model> --record',
    });
  }
  if (model === 'scripted') return model;
  if (model === 'recorded') return recordedModel(recording);
  if (!model.startsWith(LIVE)) {
    throw new CliError('TW_CLI_OPTION', {
      where: '--model',
      what: `takes scripted, recorded or live:<provider>/<model>, and got ${JSON.stringify(model)}.`,
      fix: '--model live:anthropic/<model>',
    });
  }
  const live = await liveModel(model.slice(LIVE.length));
  return record ? recordModel(live, recording) : live;
}

async function giveReports(
  reports: readonly EvalReport[],
  { format = 'text', stale = 'fail', min = 1, output }: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const written = {
    text: () => writeText(reports),
    jsonl: () => writeJsonLines(reports),
    junit: () => writeJunit(reports, stale),
  }[format]();
  if (output === undefined) terminal.give(reports, () => terminal.foreign(written));
  else {
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, `${written}\n`);
    terminal.say(`Wrote ${output}.`);
  }
  const runs = reports.flatMap((report) => report.runs);
  const staleCount = runs.filter(({ status }) => status === 'stale').length;
  if (staleCount > 0 && stale !== 'skip')
    terminal.complain(
      `${String(staleCount)} of ${String(runs.length)} runs are stale. Record them again: toolwright eval --model live:<provider>/<model> --record`,
    );
  const isBelow = reports.some(({ metrics: { done } }) => done.of > 0 && done.share < min);
  return isBelow || (staleCount > 0 && stale === 'fail') ? EXIT.finding : EXIT.done;
}

/** A file that exists is not written over: a person has worked on it. */
async function writeDrafts(
  reference: string | undefined,
  { output, timeout }: EvalOptions,
  terminal: Terminal,
  draft: (app: McpApplication) => Promise<readonly EvalCase[]>,
): Promise<ExitCode> {
  const entry = await loadEntry(chooseEntry(reference), { timeout, trustsCallers: true });
  try {
    const cases = await draft(entry.created.application);
    const place = relative(dirname(output ?? '.'), entry.file);
    const text = DRAFTS + (await writeYaml({ entry: place.startsWith('.') ? place : `./${place}`, cases }));
    if (output === undefined) {
      terminal.give(cases, () => text);
      return EXIT.done;
    }
    if (existsSync(output)) {
      throw new CliError('TW_CLI_OPTION', {
        where: '--output',
        what: `names ${output}, which exists.`,
        fix: 'name another file, or move the cases that you want into yours',
      });
    }
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, text);
    terminal.say(
      `Wrote ${output}: ${String(cases.length)} drafts. Write each request as a person would say it.`,
    );
    return EXIT.done;
  } finally {
    await entry.close();
  }
}

function noLog(cause?: unknown): CliError {
  return new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright eval from',
    what: 'takes a file of JSON lines: a log, or traffic that the explorer saved.',
    fix: 'toolwright eval from traffic.jsonl server.ts -o evals/failed.eval.yaml',
    cause,
  });
}
