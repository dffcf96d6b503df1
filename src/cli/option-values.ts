import { askWhether, nearestName } from '../shared/did-you-mean.ts';
import type { SurfaceName } from '../index.ts';
import { CliError } from './output/cli-error.ts';
import type { ArgumentSpec, OptionSpec } from './command.ts';

/** Reads a whole number within bounds. @param example a number that is usual for it */
export function wholeNumber(
  option: string,
  least: number,
  most: number,
  example: number,
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
      fix: `${option} ${String(example)}`,
    });
  };
}

/** Reads a number from 0 to 1. */
export function share(option: string): (text: string) => number {
  return (text) => {
    const number = /^(?:0|1|[01]?\.\d+)$/.test(text) ? Number(text) : NaN;
    if (number <= 1) return number;
    throw new CliError('TW_CLI_OPTION', {
      where: option,
      what: `takes a number from 0 to 1, and got ${JSON.stringify(text)}.`,
      fix: `${option} 0.9`,
    });
  };
}

/** Reads a date, in UTC unless it says otherwise. */
export function isoDate(option: string): (text: string) => Date {
  return (text) => {
    const date = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : NaN);
    if (!Number.isNaN(date.getTime())) return date;
    throw new CliError('TW_CLI_OPTION', {
      where: option,
      what: `takes a date of ISO 8601, and got ${JSON.stringify(text)}.`,
      fix: `${option} 2026-01-31`,
    });
  };
}

/** Collects the values of an option that may be given several times. */
export function collect(text: string, before: unknown): readonly string[] {
  return [...((before as readonly string[] | undefined) ?? []), text];
}

const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/s;

/** Collects `NAME=value`. What is not of this form is not shown, because it may hold a secret. */
export function collectVariables(text: string, before: unknown): Readonly<Record<string, string>> {
  const [, name, value = ''] = VARIABLE.exec(text) ?? [];
  if (name === undefined) {
    throw new CliError('TW_CLI_OPTION', {
      where: '--env',
      what: 'takes the name of a variable, = and its value.',
      fix: '--env API_KEY=…, and --env API_KEY="$API_KEY" for one that the shell has',
    });
  }
  return { ...(before as Readonly<Record<string, string>> | undefined), [name]: value };
}

/** The nearest of some names: by its letters, or the only one that begins with what was given. */
export function meantName(given: string, known: readonly string[]): string | undefined {
  const begun = known.filter((name) => given.length > 1 && name.startsWith(given.toLowerCase()));
  return nearestName(given, known) ?? (begun.length === 1 ? begun[0] : undefined);
}

/** An argument that is none of the values that it can have. */
export function notOneOf(where: string, given: string, known: readonly string[]): CliError {
  const meant = meantName(given, known);
  const nearest = meant === undefined ? undefined : askWhether(`"${meant}"`);
  return new CliError('TW_CLI_ARGUMENT', {
    where,
    what: `knows no ${JSON.stringify(given)}${nearest === undefined ? '.' : `; ${nearest}`}`,
    fix: `one of ${known.join(', ')}`,
  });
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

/** The file with the application. */
export const ENTRY: ArgumentSpec = {
  name: 'entry',
  arity: 'optional',
  summary:
    'a file that gives an application, or its folder (default: the entry of package.json); `file.ts#name` chooses one of its exports',
};

const LISTED_SURFACES: readonly SurfaceName[] = ['own', 'grouped', 'grouped-by-risk', 'flat'];
/** All surfaces. */
export const SURFACES: readonly SurfaceName[] = [...LISTED_SURFACES, 'progressive'];

/** Whose list is looked at. */
export const LISTED_TO: readonly OptionSpec[] = [
  {
    flags: '--surface <name>',
    summary: 'the surface to look at (default: the one that a client gets that is not known)',
    choices: LISTED_SURFACES,
  },
  {
    flags: '--client <name>',
    summary: 'look at what this client gets: its id (toolwright clients), or the name that it sends',
    synonyms: ['--as-client', '--client-name'],
  },
];

/** Limits how long a file may load. */
export const LOADING_TIMEOUT: OptionSpec = {
  flags: '--timeout <ms>',
  summary: 'how long the file may take to load (default 30000)',
  parse: wholeNumber('--timeout', 1, 2 ** 31 - 1, 60_000),
};

/** What a user knows better of clients. */
export const PROFILES: OptionSpec = {
  flags: '--profiles <file>',
  summary: 'a JSON file that corrects what is known of clients, such as toolwright.profiles.json',
  synonyms: ['--facts', '--corrections'],
};

/** Limits how long a server may take. */
export const TIMEOUT: OptionSpec = {
  flags: '--timeout <ms>',
  summary:
    'how long to wait for an answer or a report of progress (default 60000), and for a file to load (default 30000)',
  parse: wholeNumber('--timeout', 1, 2 ** 31 - 1, 120_000),
};

/** Limits how much a server may send. */
export const MAX_ANSWER: OptionSpec = {
  flags: '--max-answer <mebibytes>',
  summary: 'the most that one answer of the server, or a list of it, may have (default 64)',
  parse: wholeNumber('--max-answer', 1, 4096, 500),
};

export const HEADER: OptionSpec = {
  flags: '-H, --header <name: value>',
  synonyms: ['--headers', '--token', '--auth', '--bearer'],
  summary: 'sent with every request to a URL; may be repeated',
  parse: collect,
};

export const COMMAND: OptionSpec = {
  flags: '--command <line>',
  synonyms: ['--exec', '--cmd', '--stdio'],
  summary: 'a server that speaks over stdio, instead of a target',
};

export const ERA: OptionSpec = {
  flags: '--era <era>',
  synonyms: ['--protocol', '--protocol-version', '--revision'],
  summary: 'the era of the protocol to speak (default: the newest that the server speaks)',
  choices: ['2025', '2026'],
};
