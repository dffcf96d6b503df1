import type { CommandSpec, OptionSpec } from './command.ts';
import { LOADING_TIMEOUT, wholeNumber } from './option-values.ts';

/** The options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', summary: 'write the result as JSON' },
  { flags: '--color', summary: 'colour the output, also of a pipe' },
  { flags: '--no-color', summary: 'do not colour the output' },
  { flags: '--quiet', summary: 'say nothing but the result and what went wrong' },
  { flags: '--verbose', summary: 'say more' },
  { flags: '--no-input', summary: 'never ask a question' },
];

const ENTRY = {
  name: 'entry',
  summary: 'a file that gives an application; `file.ts#name` chooses one of its exports',
};

/** The commands, in the order in which help lists them. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'Serve an application',
    examples: [
      ['run server.ts', 'serve it over Streamable HTTP'],
      ['run server.ts --port 0', 'at a port that the system chooses'],
      ['run server.ts --stdio', 'over stdin and stdout, for a client that starts it'],
    ],
    arguments: [ENTRY],
    options: [
      {
        flags: '--port <number>',
        summary: 'the port (default: as the file says, else 3000)',
        parse: wholeNumber('--port', 0, 65_535),
      },
      {
        flags: '--host <name>',
        summary: 'the address to listen on (default: as the file says, else 127.0.0.1)',
      },
      { flags: '--path <path>', summary: 'the path of the endpoint (default: as the file says, else /mcp)' },
      { flags: '--stdio', summary: 'speak over stdin and stdout' },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/run.ts'),
  },
];
