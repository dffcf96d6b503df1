import { ToolwrightError, type ErrorFacts } from '../../errors/toolwright-error.ts';

/** The errors of the command line: code → what it means. `docs/errors.md` has a heading for each. */
export const cliCodes = Object.freeze({
  TW_CLI_COMMAND: 'The command line names a command that does not exist, or none.',
  TW_CLI_OPTION: 'An option of a command does not exist, or has a value that it cannot have.',
  TW_CLI_ARGUMENT: 'A command was given too few or too many arguments, or one that it cannot read.',
  TW_CLI_ENTRY_MISSING: 'The file with the application does not exist.',
  TW_CLI_ENTRY_EMPTY: 'A file was loaded, and gives no application.',
  TW_CLI_ENTRY_AMBIGUOUS: 'A file gives several applications, and the command line does not choose one.',
  TW_CLI_ENTRY_EXIT: 'A file ended the process while it was loaded.',
  TW_CLI_ENTRY_FAILED: 'A file could not be loaded.',
  TW_CLI_ENTRY_TIMEOUT: 'A file did not finish loading in time.',
  TW_CLI_TARGET: 'What a command should look at is not a file, a URL or a command.',
  TW_CLI_INPUT: 'The arguments of a call cannot be read, or do not fit the schema.',
  TW_CLI_QUESTION: 'A question would have to be asked, and nobody is there to answer it.',
  TW_CLI_NAME:
    'The server has no tool, action, prompt or resource of that name, or the documentation no page.',
  TW_CLI_RESULT: 'The server answered a call with an error.',
  TW_CLI_LOCK: 'A lock file cannot be read.',
  TW_CLI_KEY: 'A provider has to be asked, and the environment has no key for it.',
  TW_CLI_PROVIDER: 'A provider refused to count tokens, or could not be reached.',
  TW_CLI_CLIENT: 'The program of a client is missing, or did not register the server.',
  TW_CLI_CLIENT_FILE: 'The configuration of a client cannot be read or written.',
  TW_CLI_CLIENT_TAKEN: 'A client has another server of that name.',
  TW_CLI_FOLDER: 'The folder of a new project is not empty, or cannot be written.',
  TW_CLI_PACK: 'A project cannot be packed as it is.',
  TW_CLI_BUG: 'The command itself failed.',
});

export type CliCode = keyof typeof cliCodes;

/** A failure of a command, with the exit code that it ends with. */
export class CliError extends ToolwrightError<CliCode> {
  readonly #exitCode: ExitCode;

  constructor(code: CliCode, facts: ErrorFacts, exitCode: ExitCode = EXIT.usage) {
    super(code, facts);
    this.name = 'CliError';
    this.#exitCode = exitCode;
  }

  get exitCode(): ExitCode {
    return this.#exitCode;
  }
}

/** What the exit code of a command means. */
export const EXIT = Object.freeze({
  done: 0,
  /** Problems of an application, a difference, a budget that is exceeded. */
  finding: 1,
  /** An unknown option, no such file, a file without an application. */
  usage: 2,
  /** The server asks for authentication. */
  unauthorized: 3,
  /** The server refused the connection, did not answer in time, or does not speak the protocol. */
  unreachable: 4,
  /** The call was answered with an error, or there is nothing of that name. */
  refused: 5,
  /** A mistake of the command itself. */
  bug: 70,
  interrupted: 130,
  terminated: 143,
});

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
