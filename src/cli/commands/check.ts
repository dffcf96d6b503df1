import { catalogue } from '../../errors/catalogue.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { formatFacts, ToolwrightError } from '../../errors/toolwright-error.ts';
import type { RunCommand } from '../command.ts';
import { sarifLog, workflowCommand } from '../output/code-host.ts';
import { EXIT } from '../output/cli-error.ts';
import { isAtLeast, readLevel, type FindingLevel } from '../output/levels.ts';
import { reportFailure } from '../output/report-failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';

type Format = 'text' | 'json' | 'github' | 'sarif';

interface CheckOptions {
  readonly format?: Format;
  readonly accept?: readonly string[];
  readonly failOn?: FindingLevel;
  readonly timeout?: number;
}

/** Compiles an application without serving it, and lists what is wrong with it and what could be better. */
export const run: RunCommand<CheckOptions> = async ({ values: [given], options }, terminal) => {
  const reference = chooseEntry(given);
  const { format = terminal.isJson ? 'json' : 'text', failOn = 'problem', accept = [], timeout } = options;
  try {
    const entry = await loadEntry(reference, { timeout, compilesOnly: true, waitsForServing: true });
    const { application, listenOptions } = entry.created;
    const findings = application.advice(listenOptions).filter(({ code }) => !accept.includes(code));
    await entry.close();
    const failing = findings.filter((finding) => isAtLeast(readLevel(finding), failOn)).length;
    if (format === 'text') say(findings, application.definitions.length, terminal);
    else report(format, findings, reference, terminal);
    if (failing === 0) return EXIT.done;
    terminal.complain(`${String(failing)} of the findings count as failures: --fail-on ${failOn}.`);
    return EXIT.finding;
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    // The text of an application error lists its problems already
    if (format === 'text') return reportFailure(error, terminal);
    report(format, problems, reference, terminal);
    return EXIT.finding;
  }
};

function say(findings: readonly Problem[], tools: number, terminal: Terminal): void {
  const { talk } = terminal;
  const colours = { problem: talk.red, advice: talk.yellow, note: talk.dim };
  for (const finding of findings) {
    const level = readLevel(finding);
    terminal.say(`${colours[level](level)} ${formatFacts(finding.code, finding)}`);
  }
  terminal.say(talk.green(`No problems in ${String(tools)} ${tools === 1 ? 'tool' : 'tools'}.`));
}

function report(
  format: Exclude<Format, 'text'>,
  findings: readonly Problem[],
  reference: string,
  terminal: Terminal,
): void {
  const file = reference.replace(/#[^#/\\]*$/, '');
  if (format === 'json') terminal.json(asJson(findings));
  else if (format === 'sarif') terminal.json(asSarif(findings, file));
  else if (findings.length > 0) terminal.print(asAnnotations(findings, file));
}

function asJson(findings: readonly Problem[]): object {
  const having = (level: FindingLevel): readonly Problem[] =>
    findings.filter((finding) => readLevel(finding) === level);
  return { problems: having('problem'), advice: having('advice'), notes: having('note') };
}

const GITHUB_COMMANDS = { problem: 'error', advice: 'warning', note: 'notice' } as const;
const SARIF_LEVELS = { problem: 'error', advice: 'warning', note: 'note' } as const;

function asAnnotations(findings: readonly Problem[], file: string): string {
  return findings
    .map((finding) => {
      const { code, where, what, why, fix } = finding;
      const reason = why === undefined ? '' : `\nwhy: ${why}`;
      const command = GITHUB_COMMANDS[readLevel(finding)];
      return workflowCommand(command, { file, title: code }, `${where} ${what}${reason}\nfix: ${fix}`);
    })
    .join('\n');
}

function asSarif(findings: readonly Problem[], file: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const rules = codes.map((code) => ({ id: code, meaning: catalogue[code] }));
  const results = findings.map((finding) => {
    const { code, where, what, fix } = finding;
    return {
      rule: code,
      level: SARIF_LEVELS[readLevel(finding)],
      text: `${where} ${what}\nfix: ${fix}`,
      where,
    };
  });
  return sarifLog(file, rules, results);
}

/** Undefined for what is not a finding about the application: a file that does not load, a database that is down. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (!ToolwrightError.is(error) || error.code !== 'TW_APPLICATION_INVALID') return undefined;
  return (error as unknown as { readonly problems: readonly Problem[] }).problems;
}
