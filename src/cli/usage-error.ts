import type { CommanderError } from 'commander';
import { askWhether, nearestName } from '../shared/did-you-mean.ts';
import { COMMANDS } from './command-table.ts';
import type { CommandSpec } from './command.ts';
import { placeOf } from './help.ts';
import { CliError, type CliCode } from './output/cli-error.ts';
import { COMMON_OPTIONS } from './option-values.ts';

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
    what: sentenceOf(message),
    fix: command === undefined ? 'toolwright --help' : usage(command),
  });
}

function unknownCommand(name: string): CliError {
  const names = COMMANDS.map((command) => command.name);
  const nearest = nearestName(name, names);
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
  const nearest = nearestName(name, known);
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

function usage(command: CommandSpec): string {
  return ['toolwright', command.name, ...command.arguments.map(placeOf)].join(' ');
}
