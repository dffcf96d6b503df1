import { formatFacts, ToolwrightError } from '../../errors/toolwright-error.ts';
import { CliError, EXIT, type ExitCode } from './cli-error.ts';
import type { Terminal } from './terminal.ts';
import { quotedText, visibleText } from '../../shared/visible-text.ts';

/** How the codes of the framework end a command. */
const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  TW_APPLICATION_INVALID: EXIT.finding,
  TW_CLIENT_UNAUTHORIZED: EXIT.unauthorized,
  TW_CLIENT_CONNECTION: EXIT.unreachable,
  TW_CLIENT_TIMEOUT: EXIT.unreachable,
  TW_CLIENT_ANSWER: EXIT.unreachable,
  TW_CLIENT_LIMIT: EXIT.unreachable,
};

/** What a person writes on a command line, where the client names what its code is given. */
const FIXES: Readonly<Record<string, string>> = {
  TW_CLIENT_UNAUTHORIZED:
    "--header 'authorization: Bearer …', or the header that the server reads, such as --header 'x-api-key: …'",
  TW_CLIENT_TIMEOUT: '--timeout 300000; each report of progress restarts the time',
};

/** A call that needs what only another client can do (spec 2026-07-28: basic, error -32021). */
const MISSING_CAPABILITY = -32021;
const OTHER_CLIENT =
  'call it in the explorer of `toolwright dev`, where a person stands for the model; or in a client that has one';

const ISSUES = 'the issues of the project, with the lines above';

/** Says what ended a command. @returns its exit code */
export function reportFailure(error: unknown, terminal: Terminal): ExitCode {
  const { exitCode, facts, text } = describe(error);
  terminal.failed(facts);
  if (!terminal.isJson) terminal.complain(painted(visibleText(text), terminal));
  if (terminal.isVerbose && !terminal.isJson) explainCause(error, terminal);
  return exitCode;
}

interface Description {
  readonly exitCode: ExitCode;
  /** The line that `--json` writes. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function describe(error: unknown): Description {
  if (ToolwrightError.is(error)) {
    const { code, where, what, why, message } = error;
    const exitCode = error instanceof CliError ? error.exitCode : (EXIT_CODES[code] ?? EXIT.usage);
    const fix = FIXES[code] ?? error.fix;
    const facts = { code, message: `${where} ${what}`, where, fix, ...problemsOf(error) };
    const text = fix === error.fix ? message : formatFacts(code, { where, what, why, fix });
    return { exitCode, facts, text };
  }
  if (isProtocolError(error)) {
    const { code, message } = error;
    const text = `The server answered with the error ${String(code)}: ${quotedText(message)}`;
    if (code !== MISSING_CAPABILITY) return { exitCode: EXIT.refused, facts: { code, message }, text };
    const fix = OTHER_CLIENT;
    return { exitCode: EXIT.refused, facts: { code, message, fix }, text: `${text}\n  fix: ${fix}` };
  }
  const thrown = error instanceof Error ? error : new Error(String(error));
  return {
    exitCode: EXIT.bug,
    facts: { code: 'TW_CLI_BUG', message: thrown.message, fix: `report it to ${ISSUES}` },
    text: `TW_CLI_BUG: toolwright itself failed.\n\n${thrown.stack ?? thrown.message}\n\n  fix: report it to ${ISSUES}`,
  };
}

/** By its shape: this file loads for a mistyped option, too, and the framework does not. */
function isProtocolError(error: unknown): error is { readonly code: number; readonly message: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

function problemsOf(error: object): { readonly problems?: unknown } {
  return 'problems' in error ? { problems: error.problems } : {};
}

/** The code stands out, and so does what to do. */
function painted(text: string, { talk }: Terminal): string {
  return text
    .replace(/^( *)([A-Z][A-Z_]+):/gm, (_, indent: string, code: string) => `${indent}${talk.red(code)}:`)
    .replace(/^( *)(why|fix):/gm, (_, indent: string, word: string) => `${indent}${talk.bold(word)}:`);
}

function explainCause(error: unknown, terminal: Terminal): void {
  const { cause } = error as { readonly cause?: unknown };
  if (cause instanceof Error) terminal.line(visibleText(cause.stack ?? cause.message));
}
