import { Command, CommanderError, Option } from 'commander';
import { COMMANDS } from './command-table.ts';
import type { OptionSpec, CommandSpec } from './command.ts';
import { commandHelp, placeOf, programHelp } from './help.ts';
import { EXIT, type ExitCode, CliError, type CliCode } from './output/cli-error.ts';
import { reportFailure } from './output/report-failure.ts';
import { Terminal, type CommonOptions, type ProcessStreams } from './output/terminal.ts';
import { packageVersion } from './package-version.ts';
import { COMMON_OPTIONS, meantName } from './option-values.ts';
import { askWhether, nearestName } from '../shared/did-you-mean.ts';

/** Runs one command line, and ends the process with its exit code. */
export async function runProgram(given: readonly string[]): Promise<never> {
  // An application may keep the process alive, with a pool or a timer
  process.exit(await runCommand(given, process));
}

/** Runs one command line until everything that it wrote is written. */
export async function runCommand(given: readonly string[], streams: ProcessStreams): Promise<ExitCode> {
  // Before commander reads them, so that its mistakes are reported in the form that was asked for
  const terminal = new Terminal(streams, commonOptionsIn(given));
  const exitCode = await runCommandLine(given, terminal).catch((error: unknown) =>
    reportFailure(error, terminal),
  );
  await terminal.end();
  return exitCode;
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

const CODES: Readonly<Record<string, CliCode>> = {
  'commander.unknownCommand': 'TW_CLI_COMMAND',
  'commander.missingArgument': 'TW_CLI_ARGUMENT',
  'commander.excessArguments': 'TW_CLI_ARGUMENT',
};

/** Says what is wrong with a command line, and what was probably meant. */
export function usageError({ code, message }: CommanderError, given: readonly string[]): CliError {
  const command = COMMANDS.find(({ name }) => given.includes(name));
  const [, name] = /unknown (?:option|command) '([^']*)'/.exec(message) ?? [];
  const where = command === undefined ? 'toolwright' : `toolwright ${command.name}`;
  if (code === 'commander.unknownCommand' && name !== undefined) return unknownCommand(name);
  if (code === 'commander.unknownOption' && name !== undefined) return unknownOption(name, where, command);
  return new CliError(CODES[code] ?? 'TW_CLI_OPTION', {
    where,
    what: sentenceOf(message) + choicesText(message, command),
    fix: command === undefined ? 'toolwright --help' : usage(command),
  });
}

function unknownCommand(name: string): CliError {
  const names = COMMANDS.map((command) => command.name);
  const nearest = meantName(name, names);
  return new CliError('TW_CLI_COMMAND', {
    where: 'toolwright',
    what: `has no command ${JSON.stringify(name)}${nearest === undefined ? '.' : `; ${askWhether(nearest)}`}`,
    fix: nearest === undefined ? `one of ${names.join(', ')}` : `toolwright ${nearest}`,
  });
}

function unknownOption(name: string, where: string, command: CommandSpec | undefined): CliError {
  const known = [...(command?.options ?? []), ...COMMON_OPTIONS].flatMap(
    ({ flags }) => flags.match(/--[\w-]+/g) ?? [],
  );
  const synonym = command?.options.find(({ synonyms = [] }) => synonyms.includes(name));
  const nearest = /--[\w-]+/.exec(synonym?.flags ?? '')?.[0] ?? nearestName(name, known);
  return new CliError('TW_CLI_OPTION', {
    where,
    what: `has no option ${name}${nearest === undefined ? '.' : `; ${askWhether(nearest)}`}`,
    fix: nearest ?? `${where} --help`,
  });
}

/** What commander says, as the rest of a sentence that begins with the command. */
function sentenceOf(message: string): string {
  const words = message.replace(/^error: /, '').replace(/\.$/, '');
  return `cannot be run: ${words}.`;
}

/** The values that a missing argument can have, where they are few. */
function choicesText(message: string, command: CommandSpec | undefined): string {
  const [, name] = /missing required argument '([^']*)'/.exec(message) ?? [];
  const choices = command?.arguments.find((each) => each.name === name)?.choices;
  return choices === undefined ? '' : ` It is one of ${choices.join(', ')}.`;
}

function usage(command: CommandSpec): string {
  return ['toolwright', command.name, ...command.arguments.map(placeOf)].join(' ');
}
