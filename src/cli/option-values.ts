import { CliError } from './output/cli-error.ts';
import type { OptionSpec } from './command.ts';

/** Reads a whole number within bounds. */
export function wholeNumber(
  option: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    const bounds =
      most === Number.MAX_SAFE_INTEGER
        ? `of at least ${String(least)}`
        : `from ${String(least)} to ${String(most)}`;
    throw new CliError('TW_CLI_OPTION', {
      where: option,
      what: `takes a whole number ${bounds}, and got ${JSON.stringify(text)}.`,
      fix: `${option} ${String(Math.max(least, 1))}`,
    });
  };
}

/** Collects the values of an option that may be given several times. */
export function collect(text: string, before: unknown): readonly string[] {
  return [...((before as readonly string[] | undefined) ?? []), text];
}

/** The options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', summary: 'write the result as JSON' },
  { flags: '--color', summary: 'colour the output, also of a pipe' },
  { flags: '--no-color', summary: 'do not colour the output' },
  { flags: '--quiet', summary: 'say nothing but the result and what went wrong' },
  { flags: '--verbose', summary: 'say more' },
  { flags: '--no-input', summary: 'never ask a question' },
];

/** Limits how long a file may load. */
export const LOADING_TIMEOUT: OptionSpec = {
  flags: '--timeout <ms>',
  summary: 'how long the file may take to load (default 30000)',
  parse: wholeNumber('--timeout', 1, 2 ** 31 - 1),
};

/** Limits how long a server may take. */
export const TIMEOUT: OptionSpec = {
  flags: '--timeout <ms>',
  summary:
    'how long to wait for an answer or a report of progress (default 60000), and for a file to load (default 30000)',
  parse: wholeNumber('--timeout', 1, 2 ** 31 - 1),
};

export const HEADER: OptionSpec = {
  flags: '-H, --header <name: value>',
  summary: 'sent with every request to a URL; may be repeated',
  parse: collect,
};

export const COMMAND: OptionSpec = {
  flags: '--command <line>',
  summary: 'a server that speaks over stdio, instead of a target',
};

export const ERA: OptionSpec = {
  flags: '--era <era>',
  summary: 'the era of the protocol to speak (default: the newest that the server speaks)',
  choices: ['2025', '2026'],
};
