import { appendFile } from 'node:fs/promises';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { RunCommand } from '../command.ts';
import { changeOf, sortChanges, type Change } from '../lock/changes.ts';
import { compareSurfaces } from '../lock/compare-surfaces.ts';
import { openSource, type LockSource } from '../lock/lock-source.ts';
import {
  reportAsGithub,
  reportAsSarif,
  reportAsJson,
  reportAsMarkdown,
  reportAsText,
  type DiffFormat,
} from '../lock/report.ts';
import { decideOn, type FailOn, type Verdict } from '../lock/verdict.ts';
import { EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { asListed, type Surface } from '../surface/surface.ts';
import { chooseEntry } from '../target/default-entry.ts';
import type { TargetOptions } from '../target/target.ts';
import { loadTokenizer } from '../../tokens/index.ts';

interface DiffOptions extends Omit<TargetOptions, 'command'> {
  readonly failOn?: FailOn;
  readonly format?: DiffFormat;
}

/** Says what differs between two versions of a server, and how much it asks of clients. */
export const run: RunCommand<DiffOptions> = async ({ values: [before = '', given], options }, terminal) => {
  const after = given ?? chooseEntry(given);
  const { failOn = 'breaking', format = terminal.isJson ? 'json' : 'text', ...target } = options;
  // One after the other: both may be files of one application, which then share what they load
  const reading = { ...target, byClient: 'short' } as const;
  const old = await openSource(before, reading);
  const now = await openSource(after, reading);
  const changes = [
    ...compareSurfaces(old.surface, now.surface),
    ...(await tokenGrowth(old.surface, now.surface)),
  ];
  const verdict = decideOn(sortChanges(changes), acceptedBy(old, now), failOn);
  const pointed = now.file ?? old.file;
  const place = { file: pointed?.path ?? after, lineOf: lineFinder(pointed?.text ?? '') };
  await report(verdict, format, place, terminal);
  return verdict.isFailure ? EXIT.finding : EXIT.done;
};

const MOST_GROWTH = 1.1;

/** Tokens of everything that is listed. What is not longer does not load the tokenizer. */
async function tokenGrowth(before: Surface, after: Surface): Promise<readonly Change[]> {
  const [old, now] = [textOf(before), textOf(after)];
  if (now.length <= old.length) return [];
  const count = await loadTokenizer();
  const [was, is] = [count(old), count(now)];
  if (is <= was * MOST_GROWTH) return [];
  return [changeOf('tokens-grown', '', 'server', `${was} tokens became ${is}`)];
}

function textOf({ tools, prompts, resources, resourceTemplates, instructions }: Surface): string {
  return canonicalJson({ instructions, tools: tools.map(asListed), prompts, resources, resourceTemplates });
}

/** What both accept was accepted for an earlier change, and is no longer asked for. */
function acceptedBy(old: LockSource, now: LockSource): LockSource['accept'] {
  if (now.file === undefined) return old.accept;
  const known = new Set(old.accept.map((entry) => JSON.stringify(entry)));
  return now.accept.filter((entry) => !known.has(JSON.stringify(entry)));
}

interface Place {
  readonly file: string;
  readonly lineOf: (change: Change) => number;
}

async function report(
  verdict: Verdict,
  format: DiffFormat,
  { file, lineOf }: Place,
  terminal: Terminal,
): Promise<void> {
  if (format === 'json') terminal.json(reportAsJson(verdict));
  else if (format === 'sarif') terminal.json(reportAsSarif(verdict, file, lineOf));
  else if (format === 'markdown') terminal.print(terminal.foreign(reportAsMarkdown(verdict)));
  else if (format === 'text') terminal.print(reportAsText(verdict, terminal));
  else {
    terminal.print(visibleText(reportAsGithub(verdict, file, lineOf)));
    await writeSummary(reportAsMarkdown(verdict), terminal);
  }
}

/** GitHub takes at most a mebibyte for the summary of a step. */
const MOST_SUMMARY = 1024 * 1024;

async function writeSummary(text: string, { env }: Terminal): Promise<void> {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  const bytes = Buffer.from(text);
  const rest = '\n\nThe rest is too long for a summary.\n';
  const isShort = bytes.length <= MOST_SUMMARY;
  await appendFile(path, isShort ? text : bytes.subarray(0, MOST_SUMMARY - rest.length).toString() + rest);
}

/** The line of a lock file that names what has changed; the first line for what it does not name. */
function lineFinder(text: string): (change: Change) => number {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const [, name] = /^\s*"(?:name|uri|uriTemplate)": (".*"),?$/.exec(line) ?? [];
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  }
  return ({ owner }) => lines.get(JSON.stringify(owner.replace(/^(?:prompt|resource|template) /, ''))) ?? 1;
}
