import { catalogue } from '../../errors/catalogue.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { formatFacts, ToolwrightError } from '../../errors/toolwright-error.ts';
import type { RunCommand } from '../command.ts';
import { sarifLog, workflowCommand } from '../output/code-host.ts';
import { EXIT } from '../output/cli-error.ts';
import { reportFailure } from '../output/report-failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';

type Format = 'text' | 'json' | 'github' | 'sarif';

interface CheckOptions {
  readonly format?: Format;
  readonly accept?: readonly string[];
  readonly timeout?: number;
}

/** What is wrong, and what works but looks unsafe. */
interface Findings {
  readonly problems: readonly Problem[];
  readonly advice: readonly Problem[];
}

/** Compiles an application without serving it, and lists what is wrong with it and what looks unsafe. */
export const run: RunCommand<CheckOptions> = async ({ values: [given], options }, terminal) => {
  const reference = chooseEntry(given);
  const format = options.format ?? (terminal.isJson ? 'json' : 'text');
  try {
    const { timeout, accept = [] } = options;
    const entry = await loadEntry(reference, { timeout, compilesOnly: true, waitsForServing: true });
    const { application, listenOptions } = entry.created;
    const advice = application.advice(listenOptions).filter(({ code }) => !accept.includes(code));
    await entry.close();
    if (format !== 'text') report(format, { problems: [], advice }, reference, terminal);
    else {
      for (const one of advice)
        terminal.say(`${terminal.talk.yellow('advice')} ${formatFacts(one.code, one)}`);
      terminal.say(terminal.talk.green(sayFine(application.definitions.length)));
    }
    return EXIT.done;
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    // The text of an application error lists its problems already
    if (format === 'text') return reportFailure(error, terminal);
    report(format, { problems, advice: [] }, reference, terminal);
    return EXIT.finding;
  }
};

function report(
  format: Exclude<Format, 'text'>,
  findings: Findings,
  reference: string,
  terminal: Terminal,
): void {
  const file = reference.replace(/#[^#/\\]*$/, '');
  const { problems, advice } = findings;
  if (format === 'json') terminal.json(findings);
  else if (format === 'sarif') terminal.json(asSarif(findings, file));
  else if (problems.length + advice.length > 0) terminal.print(asAnnotations(findings, file));
}

function asAnnotations({ problems, advice }: Findings, file: string): string {
  const annotate =
    (command: 'error' | 'notice') =>
    ({ code, where, what, why, fix }: Problem): string => {
      const reason = why === undefined ? '' : `\nwhy: ${why}`;
      return workflowCommand(command, { file, title: code }, `${where} ${what}${reason}\nfix: ${fix}`);
    };
  return [...problems.map(annotate('error')), ...advice.map(annotate('notice'))].join('\n');
}

function asSarif({ problems, advice }: Findings, file: string): object {
  const codes = [...new Set([...problems, ...advice].map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, meaning: catalogue[code] }));
  const resultOf =
    (level: 'error' | 'note') =>
    ({ code, where, what, fix }: Problem) => {
      return { rule: code, level, text: `${where} ${what}\nfix: ${fix}`, where } as const;
    };
  return sarifLog(file, rules, [...problems.map(resultOf('error')), ...advice.map(resultOf('note'))]);
}

/** Undefined for what is not a finding about the application: a file that does not load, a database that is down. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (!ToolwrightError.is(error) || error.code !== 'TW_APPLICATION_INVALID') return undefined;
  return (error as unknown as { readonly problems: readonly Problem[] }).problems;
}

function sayFine(tools: number): string {
  return `No problems in ${String(tools)} ${tools === 1 ? 'tool' : 'tools'}.`;
}
