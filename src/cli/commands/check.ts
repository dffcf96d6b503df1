import { catalogue } from '../../errors/catalogue.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { RunCommand } from '../command.ts';
import { sarifLog, workflowCommand } from '../output/code-host.ts';
import { EXIT } from '../output/exit-codes.ts';
import { reportFailure } from '../output/report-failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { loadEntry } from '../target/entry.ts';

type Format = 'text' | 'json' | 'github' | 'sarif';

interface CheckOptions {
  readonly format?: Format;
  readonly timeout?: number;
}

/** Compiles an application without serving it, and lists everything that is wrong with it. */
export const run: RunCommand<CheckOptions> = async ({ values: [reference = ''], options }, terminal) => {
  const format = options.format ?? (terminal.isJson ? 'json' : 'text');
  try {
    const entry = await loadEntry(reference, { timeout: options.timeout, compilesOnly: true });
    const { definitions } = entry.created.application;
    await entry.close();
    if (format === 'text') terminal.say(terminal.talk.green(sayFine(definitions.length)));
    else report(format, [], reference, terminal);
    return EXIT.done;
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    // The text of an application error lists its problems already
    if (format === 'text') return reportFailure(error, terminal);
    report(format, problems, reference, terminal);
    return EXIT.finding;
  }
};

function report(
  format: Exclude<Format, 'text'>,
  problems: readonly Problem[],
  reference: string,
  terminal: Terminal,
): void {
  const file = reference.replace(/#[^#/\\]*$/, '');
  if (format === 'json') terminal.json({ problems });
  else if (format === 'sarif') terminal.json(asSarif(problems, file));
  else if (problems.length > 0) terminal.print(asAnnotations(problems, file));
}

function asAnnotations(problems: readonly Problem[], file: string): string {
  return problems
    .map(({ code, where, what, why, fix }) => {
      const reason = why === undefined ? '' : `\nwhy: ${why}`;
      return workflowCommand('error', { file, title: code }, `${where} ${what}${reason}\nfix: ${fix}`);
    })
    .join('\n');
}

function asSarif(problems: readonly Problem[], file: string): object {
  const codes = [...new Set(problems.map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, meaning: catalogue[code] }));
  const results = problems.map(({ code, where, what, fix }) => {
    return { rule: code, level: 'error', text: `${where} ${what}\nfix: ${fix}`, where } as const;
  });
  return sarifLog(file, rules, results);
}

/** Undefined for what is not a finding about the application: a file that does not load, a database that is down. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (!ToolwrightError.is(error) || error.code !== 'TW_APPLICATION_INVALID') return undefined;
  return (error as unknown as { readonly problems: readonly Problem[] }).problems;
}

function sayFine(tools: number): string {
  return `No problems in ${String(tools)} ${tools === 1 ? 'tool' : 'tools'}.`;
}
