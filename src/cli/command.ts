import type { ExitCode } from './output/cli-error.ts';
import type { Terminal } from './output/terminal.ts';

/** A value that a command takes by its place. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  /** The values that it can have, where they are few. */
  readonly choices?: readonly string[];
  /** Whether it is the name of something that the first argument offers. */
  readonly isName?: boolean;
  /** Default `one`. */
  readonly arity?: 'one' | 'optional' | 'many';
}

/** An option of a command. */
export interface OptionSpec {
  /** As help shows it: `--port <number>`, `-o, --output <file>`. */
  readonly flags: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** What others call it, such as `--max`: given instead, it is what the error asks for. */
  readonly synonyms?: readonly string[];
  /** Reads the text of the option; it may be given several times, if what came before is used. */
  readonly parse?: (text: string, before: unknown) => unknown;
}

/** What a command was given: values by their place, options by their names. */
export interface Given<Options extends object> {
  readonly values: readonly string[];
  readonly options: Options;
  /** All commands, for one that writes about them. */
  readonly commands: readonly CommandSpec[];
}

/** Runs a command. What it throws ends the process with the exit code of that failure. */
export type RunCommand<Options extends object = never> = (
  given: Given<Options>,
  terminal: Terminal,
) => Promise<ExitCode>;

/** A command, described without loading its code. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** Command lines and what they do; the help begins with the first one. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
