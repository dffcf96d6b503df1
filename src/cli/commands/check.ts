import type { Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { checkForClients, type ForOptions } from '../client-rules/check-for.ts';
import { writeSubmission } from '../client-rules/submission.ts';
import type { RunCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../output/cli-error.ts';
import { sayFindings, writeFindings, type FindingFormat, type ShownFinding } from '../output/findings.ts';
import { isAtLeast, readLevel, type FindingLevel } from '../output/levels.ts';
import { reportFailure } from '../output/report-failure.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry, type LoadedEntry } from '../target/entry.ts';

type Format = 'text' | FindingFormat;

interface CheckOptions extends ForOptions {
  readonly format?: Format;
  readonly accept?: readonly string[];
  readonly failOn?: FindingLevel;
  readonly justify?: boolean;
  readonly timeout?: number;
}

/** Compiles an application without serving it, and lists what is wrong with it and what could be better. */
export const run: RunCommand<CheckOptions> = async ({ values: [given], options }, terminal) => {
  const reference = chooseEntry(given);
  const { format = terminal.isJson ? 'json' : 'text', failOn = 'problem', accept = [], timeout } = options;
  try {
    const entry = await loadEntry(reference, { timeout, compilesOnly: true, waitsForServing: true });
    const { all, say, more } = await examine(entry, options, format);
    const findings = all.filter(({ code }) => !accept.includes(code));
    if (options.justify === true) writeSubmission(entry.created, terminal);
    await entry.close();
    if (format === 'text') say(findings, terminal);
    else writeFindings(format, findings, reference, terminal, more(findings));
    return endWith(findings, failOn, terminal);
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    // The text of an application error lists its problems already
    if (format === 'text') return reportFailure(error, terminal);
    writeFindings(format, problems.map(asFinding), reference, terminal);
    return EXIT.finding;
  }
};

/** What was found, and what there is to say of it. */
interface Examined {
  readonly all: readonly ShownFinding[];
  readonly say: (findings: readonly ShownFinding[], terminal: Terminal) => void;
  readonly more: (findings: readonly ShownFinding[]) => object;
}

async function examine(entry: LoadedEntry, options: CheckOptions, format: Format): Promise<Examined> {
  if (options.for !== undefined || options.matrix === true) return checkForClients(entry, options, format);
  const { created } = entry;
  const { application, listenOptions } = created;
  const tools = application.definitions.length;
  return {
    all: application.advice(listenOptions).map(asFinding),
    say: (findings, terminal) => {
      sayFindings(findings, terminal);
      terminal.say(terminal.talk.green(`No problems in ${String(tools)} ${tools === 1 ? 'tool' : 'tools'}.`));
    },
    more: () => ({}),
  };
}

function endWith(findings: readonly ShownFinding[], failOn: FindingLevel, terminal: Terminal): ExitCode {
  const failing = findings.filter(({ level }) => isAtLeast(level, failOn)).length;
  if (failing === 0) return EXIT.done;
  terminal.complain(`${String(failing)} of the findings count as failures: --fail-on ${failOn}.`);
  return EXIT.finding;
}

function asFinding(problem: Problem): ShownFinding {
  return { ...problem, level: readLevel(problem) };
}

/** Undefined for what is not a finding about the application: a file that does not load, a database that is down. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (!ToolwrightError.is(error) || error.code !== 'TW_APPLICATION_INVALID') return undefined;
  return (error as unknown as { readonly problems: readonly Problem[] }).problems;
}
