import { Command, CommanderError, Option } from 'commander';
import { COMMANDS } from './command-table.ts';
import type { OptionSpec } from './command.ts';
import { commandHelp, placeOf, programHelp } from './help.ts';
import { EXIT, type ExitCode } from './output/exit-codes.ts';
import { reportFailure } from './output/report-failure.ts';
import { Terminal, type CommonOptions, type ProcessStreams } from './output/terminal.ts';
import { packageVersion } from './package-version.ts';
import { usageError } from './usage-error.ts';
import { COMMON_OPTIONS } from './option-values.ts';

/** Runs one command line, and ends the process with its exit code. */
export async function runProgram(
  given: readonly string[],
  streams: ProcessStreams = process,
): Promise<never> {
  // Before commander reads them, so that its mistakes are reported in the form that was asked for
  const terminal = new Terminal(streams, commonOptionsIn(given));
  const exitCode = await runCommandLine(given, terminal).catch((error: unknown) =>
    reportFailure(error, terminal),
  );
  await terminal.end();
  // An application may keep the process alive, with a pool or a timer
  process.exit(exitCode);
}

async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  if (given.length === 0) {
    terminal.line(programHelp({ paint: terminal.talk, width: terminal.talkWidth }));
    return EXIT.usage;
  }
  try {
    await program.parseAsync(given, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, given);
  }
  return exitCode;
}

function createProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const style = { paint: terminal.paint, width: terminal.width };
  const program = new Command('toolwright').helpCommand(false).version(packageVersion());
  for (const option of COMMON_OPTIONS) program.addOption(commanderOption(option));
  configure(program, terminal).helpInformation = () => programHelp(style);
  for (const spec of COMMANDS) {
    const command = configure(program.command(spec.name), terminal);
    for (const argument of spec.arguments) command.argument(placeOf(argument));
    for (const option of spec.options) command.addOption(commanderOption(option));
    command.helpInformation = () => commandHelp(spec, style);
    command.action(async () => {
      const { run } = await spec.load();
      const options = command.opts<never>();
      end(await run({ values: command.args, options, commands: COMMANDS }, terminal));
    });
  }
  return program;
}

function configure(command: Command, terminal: Terminal): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .helpOption('-h, --help')
    .configureOutput({
      writeOut: (text) => {
        terminal.print(text);
      },
      // Colours are decided by the terminal alone
      getOutHasColors: () => true,
      // What it says is in the error that it throws
      writeErr: () => undefined,
    });
}

function commanderOption({ flags, summary, choices, parse }: OptionSpec): Option {
  const option = new Option(flags, summary);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  return option;
}

/** The options of every command, wherever they stand. */
function commonOptionsIn(given: readonly string[]): CommonOptions {
  const end = given.indexOf('--');
  const options = end === -1 ? given : given.slice(0, end);
  const last = options.findLast((option) => /^--(no-)?color$/.test(option));
  return {
    json: options.includes('--json'),
    quiet: options.includes('--quiet'),
    verbose: options.includes('--verbose'),
    input: !options.includes('--no-input'),
    ...(last === undefined ? {} : { color: last === '--color' }),
  };
}
