import { CLIENT_NAMES, SCOPES } from './clients/clients.ts';
import type { CommandSpec } from './command.ts';
import { collect, collectVariables, ENTRY, LOADING_TIMEOUT, PROFILES, wholeNumber } from './option-values.ts';

/** The commands that set up what is around an application: its project, clients, the machine, the shell. */
export const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'new',
    summary: 'Make a project, with tests, a lock file and a CI workflow',
    examples: [
      ['new my-server', 'in a new folder; asks what else it has to know'],
      ['new . --yes', 'in the current folder, and ask nothing'],
      ['new my-server --template stdio', 'a package that clients start'],
      [
        'new my-server --package toolwright-0.1.0.tgz',
        'with a packed Toolwright instead of one from a registry',
      ],
      ['new my-server --template api-key', 'only clients with a key are let in'],
      ['new my-server --template sign-in', 'people sign in with Google, GitHub, Entra or another provider'],
      ['new my-server --template openapi', 'its tools are the operations of an API'],
      ['new my-server --template nest', 'its tools are the routes of an application of NestJS'],
    ],
    arguments: [
      { name: 'dir', arity: 'optional', summary: 'the folder; an empty one, or one that does not exist yet' },
    ],
    options: [
      {
        flags: '--template <template>',
        summary:
          'at an address, started by clients, for clients with a key, for people who sign in, or made of an API or of NestJS (default: http)',
        choices: ['http', 'stdio', 'api-key', 'sign-in', 'openapi', 'nest'],
      },
      {
        flags: '--package <file>',
        summary:
          'the file that npm pack wrote, or a clone of Toolwright (default: where this command was installed from)',
      },
      { flags: '--no-agents', summary: 'without AGENTS.md and CLAUDE.md, which coding agents read' },
      { flags: '-y, --yes', summary: 'ask nothing, and take the defaults' },
    ],
    load: () => import('./commands/new.ts'),
  },
  {
    name: 'import',
    summary: 'Show what an application that exists would offer, and write down what is selected',
    examples: [
      ['import nest src/mcp.ts --plan', 'the groups of its routes, what each costs, and what is left out'],
      ["import nest src/mcp.ts --include 'tasks.*' --plan", 'of some of them'],
      ["import nest src/mcp.ts --include 'tasks.*' --write", 'and write toolwright.api.json'],
      ["import openapi shop.openapi.json --include 'orders.*' --plan", 'the same of an OpenAPI document'],
      ["import openapi shop.openapi.json --include 'orders.*' -o src/api", 'and write classes of your own'],
    ],
    arguments: [
      { name: 'what', choices: ['nest', 'openapi'], summary: 'what kind of API it is' },
      {
        name: 'target',
        arity: 'optional',
        summary:
          'a file that calls exposeNest(), or exports an application of NestJS (default: the entry of package.json); of openapi, the document or its URL',
      },
    ],
    options: [
      { flags: '--plan', summary: 'show the plan, which is all that it does without --write' },
      {
        flags: '--write',
        summary: 'write what is selected to a file, for the option `curation`',
        synonyms: ['--save'],
      },
      {
        flags: '-o, --output <file>',
        summary:
          'the file of --write (default: that of the option `curation`, else toolwright.api.json); of openapi without --write, the folder of classes',
        synonyms: ['--out', '--file'],
      },
      { flags: '--force', summary: 'write classes over those that are there, which otherwise stay' },
      {
        flags: '--include <pattern>',
        summary: 'what to offer, instead of the option `include`; may be repeated',
        parse: collect,
      },
      {
        flags: '--exclude <pattern>',
        summary: 'what not to offer, instead of the option `exclude`; may be repeated',
        parse: collect,
      },
      {
        flags: '--max-actions <number>',
        summary: 'how many actions there may be (default: as the file says, else 40)',
        synonyms: ['--limit'],
        parse: wholeNumber('--max-actions', 1, Number.MAX_SAFE_INTEGER, 60),
      },
      {
        flags: '--max-tokens <number>',
        summary: 'how many tokens all tools may cost (default: as the file says, else any number)',
        synonyms: ['--budget'],
        parse: wholeNumber('--max-tokens', 1, Number.MAX_SAFE_INTEGER, 4000),
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'install',
    summary: 'Register a server with a client',
    examples: [
      ['install claude-code server.ts', 'so that Claude Code starts it'],
      ['install vscode server.ts --env API_KEY="$API_KEY"', 'with a variable that it needs'],
      ['install cursor server.ts --print', 'print a link that Cursor opens, and change nothing'],
      ['install codex https://example.com/mcp --name example', 'a server that runs already'],
      ['install claude-code --docs', 'the documentation of Toolwright, for an agent that writes servers'],
    ],
    arguments: [
      {
        name: 'client',
        summary: 'claude-code, codex, gemini-cli, cursor, vscode; json prints what most others read',
        choices: CLIENT_NAMES,
      },
      {
        name: 'target',
        arity: 'optional',
        summary:
          'a file that gives an application, or the URL of a server (default: the entry of package.json)',
      },
    ],
    options: [
      { flags: '--name <name>', summary: 'the name of the server there (default: as it calls itself)' },
      {
        flags: '--env <name=value>',
        summary: 'a variable that the client gives to the server; may be repeated',
        parse: collectVariables,
      },
      {
        flags: '--scope <scope>',
        summary:
          'for you in this folder, for this project, or for you everywhere (default: as the client does)',
        choices: SCOPES,
      },
      { flags: '--docs', summary: 'register the documentation of Toolwright, in place of a server' },
      {
        flags: '--print',
        summary: 'print a link, a command or the JSON, and change nothing',
        synonyms: ['--dry-run', '--show'],
      },
      {
        flags: '--force',
        summary: 'replace another server of the same name',
        synonyms: ['--overwrite', '--replace'],
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'pack',
    summary:
      'Write what is published of a server: server.json for the MCP registry, and a bundle for desktop clients',
    examples: [
      ['pack server.ts --check', 'what the registry would refuse; nothing is written'],
      ['pack server.ts', 'write server.json'],
      ['pack server.ts --mcpb', 'and the bundle <name>-<version>.mcpb, with all packages that it needs'],
      [
        'pack server.ts --mcpb --bundle-url https://github.com/ann/notes-mcp/releases/download/v1.0.0/notes-1.0.0.mcpb',
        'and name the bundle in server.json, with its hash',
      ],
    ],
    arguments: [ENTRY],
    options: [
      {
        flags: '--check',
        summary: 'write nothing; list what is wrong, also with the files of the bundle where --mcpb is given',
        synonyms: ['--dry-run', '--verify', '--validate'],
      },
      {
        flags: '--mcpb',
        summary: 'write a bundle, too: what is compiled, its packages and a manifest',
        synonyms: ['--bundle', '--dxt'],
      },
      {
        flags: '--bundle-url <url>',
        summary: 'the https URL at which the bundle will be, with "mcp" in it; server.json names it',
        synonyms: ['--url'],
      },
      {
        flags: '-o, --output <folder>',
        summary: 'where the files are written (default: the folder of package.json)',
        synonyms: ['--out', '--dir'],
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/pack.ts'),
  },
  {
    name: 'migrate',
    summary: 'Make the tables of a PostgreSQL backplane, or bring them up to date',
    examples: [
      ['migrate --url "$DATABASE_URL"', 'in a database; several may run it at once'],
      ['migrate backplane.ts', 'where the backplane is that this file exports'],
      ['migrate --print-sql > tables.sql', 'write the SQL, and change nothing'],
    ],
    arguments: [
      {
        name: 'file',
        arity: 'optional',
        summary:
          'a file that exports what postgresBackplane() gives; `file.ts#name` chooses one of its exports',
      },
    ],
    options: [
      {
        flags: '--url <url>',
        summary: 'the database: postgres://user:password@host/name',
        synonyms: ['--database', '--database-url', '--dsn'],
      },
      { flags: '--schema <name>', summary: 'the schema of the tables (default: toolwright)' },
      {
        flags: '--print-sql',
        summary: 'print the SQL, and change nothing',
        synonyms: ['--dry-run', '--print', '--sql'],
      },
      LOADING_TIMEOUT,
    ],
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'clients',
    summary: 'Show what is known of clients and directories, and who says so',
    examples: [
      ['clients', 'all, with what suits each'],
      ['clients codex', 'every fact about one, with its source and date'],
      ['clients codex --profiles toolwright.profiles.json', 'with your corrections'],
    ],
    arguments: [
      {
        name: 'name',
        arity: 'optional',
        summary: 'the id of a client or directory, or the name that a client sends (default: all)',
      },
    ],
    options: [PROFILES],
    load: () => import('./commands/clients.ts'),
  },
  {
    name: 'doctor',
    summary: 'Look for what keeps an application or a sign-in from working',
    examples: [
      ['doctor', 'Node, packages, loader, tsconfig.json and the port'],
      ['doctor server.ts', 'and the application itself, with its port and its lock'],
      ['doctor --fix-agents', 'and renew what AGENTS.md says of Toolwright'],
      ['doctor auth https://example.com/mcp', 'whether people can sign in at a server, ours or not'],
      ['doctor auth https://example.com/mcp --client all', 'as every known client does it'],
      ['doctor auth https://example.com/mcp --browser', 'and go on after a person agreed'],
    ],
    arguments: [
      {
        name: 'entry',
        arity: 'optional',
        summary: 'a file that gives an application (default: the entry of package.json), or auth',
      },
      { name: 'url', arity: 'optional', summary: 'after auth: the URL of the server, as people type it' },
    ],
    options: [
      {
        flags: '--client <id>',
        summary: 'after auth: the client to look as, such as claude or vscode, or all (default: sdk-v2)',
        synonyms: ['--as', '--for'],
      },
      {
        flags: '--browser',
        summary: 'after auth: let a person sign in, then try tokens, a list, refreshes and revocation',
      },
      { flags: '--fix-agents', summary: 'renew the part of AGENTS.md that is about Toolwright' },
      {
        flags: '--timeout <ms>',
        summary:
          'how long the file may take to load (default 30000); after auth, each answer (default 10000)',
        parse: wholeNumber('--timeout', 1, 2 ** 31 - 1, 60_000),
      },
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'docs',
    summary: 'Search the documentation, or serve it to a coding agent',
    examples: [
      ['docs rate limit', 'the five sections that fit best, with their places'],
      ['docs --read guides/testing.md', 'a page, a section (page.md#section) or an error code'],
      ['docs', 'all pages; on a pipe, an MCP server that searches and reads them'],
    ],
    arguments: [{ name: 'words', arity: 'many', summary: 'what to look for' }],
    options: [
      {
        flags: '--read <page>',
        summary: 'print a page; of a long one the beginning, and a list of its sections',
        synonyms: ['--page', '--show', '--open'],
      },
    ],
    load: () => import('./commands/docs.ts'),
  },
  {
    name: 'completion',
    summary: 'Write a script that completes command lines',
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/toolwright', 'for bash'],
      ['completion zsh > "${fpath[1]}/_toolwright"', 'for zsh'],
      ['completion fish > ~/.config/fish/completions/toolwright.fish', 'for fish'],
    ],
    arguments: [
      {
        name: 'shell',
        summary: 'bash, zsh, fish or powershell',
        choices: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    options: [],
    load: () => import('./commands/completion.ts'),
  },
];
