import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';
import { COMMON_OPTIONS } from '../option-values.ts';

/** What a shell can complete after a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

export interface CompletedOption {
  /** `-o` and `--output`. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** An argument by its place: one of few values, a name that the target has, or else a file. */
export type CompletedArgument =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'names' | 'file' };

export function completedOf({ name, summary, options, arguments: args }: CommandSpec): CompletedCommand {
  return {
    name,
    summary,
    options: [...options, ...COMMON_OPTIONS, HELP].map(optionOf),
    arguments: args.map(argumentOf),
  };
}

/** The command that lists what can be called in a file, before the file and after it. It loads the file. */
export const LIST_NAMES = ['toolwright list', '--tools --names --timeout 5000'] as const;

const HELP: OptionSpec = { flags: '-h, --help', summary: 'show help' };

function optionOf({ flags, summary, choices = [] }: OptionSpec): CompletedOption {
  return {
    names: flags.replace(/<.*/s, '').match(/--?[a-z][\w-]*/gi) ?? [],
    summary,
    takesValue: flags.includes('<'),
    choices,
  };
}

function argumentOf({ choices, isName = false }: ArgumentSpec): CompletedArgument {
  return choices === undefined ? { kind: isName ? 'names' : 'file' } : { kind: 'choices', choices };
}

/** The places of all arguments of a kind, as `command:place`; the first place is 0. */
export function argumentPlaces(
  commands: readonly CompletedCommand[],
  kind: CompletedArgument['kind'],
): readonly string[] {
  return commands.flatMap(({ name, arguments: args }) =>
    args.flatMap((argument, place) => (argument.kind === kind ? [`${name}:${String(place)}`] : [])),
  );
}

/** All options that take a value, as `command:--option`. */
export function valuedOptions(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names }) => names.map((each) => `${name}:${each}`)),
  );
}
