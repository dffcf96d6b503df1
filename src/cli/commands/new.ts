import { relative, resolve } from 'node:path';
import type { RunCommand } from '../command.ts';
import { AGENT_FILES, packageNameOf, projectFiles, type Template } from '../new/project-files.ts';
import { faultOfFolder, writeProject } from '../new/project-folder.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { columns } from '../output/wrap.ts';
import { packedPackage } from '../package-source.ts';
import { visibleText } from '../../shared/visible-text.ts';

interface NewOptions {
  readonly yes?: boolean;
  readonly template?: Template;
  /** False with `--no-agents`. */
  readonly agents?: boolean;
  /** A packed file of this package, or a clone of it. */
  readonly package?: string;
}

/** Makes a project with a server, its tests, a lock file and a CI workflow. */
export const run: RunCommand<NewOptions> = async ({ values: [given], options }, terminal) => {
  const asked = terminal.canAsk && options.yes !== true ? terminal : undefined;
  const directory = given ?? (await folderFrom(asked));
  if (directory === undefined) return cancelled(terminal);
  const folder = resolve(directory);
  const fault = directory === '' ? noFolder() : faultOfFolder(folder);
  if (fault !== undefined) throw fault;
  const template = options.template ?? (await templateFrom(asked));
  if (template === undefined) return cancelled(terminal);

  const name = packageNameOf(folder);
  const packed = await packedPackage(options.package);
  const files = new Map(projectFiles(name, template, packed));
  if (options.agents === false) for (const path of AGENT_FILES) files.delete(path);
  writeProject(folder, files);
  const result = { directory: folder, name, template, files: [...files.keys()].toSorted() };
  terminal.give(result, () => terminal.foreign(`Made ${name} in ${folder}: ${files.size} files.`));
  if (packed !== undefined)
    terminal.say(`It installs toolwright from vendor/${packed.name}, and not from a registry.`);
  sayWhatIsNext(relative(process.cwd(), folder), template, terminal);
  return EXIT.done;
};

async function folderFrom(asked: Terminal | undefined): Promise<string | undefined> {
  if (asked === undefined) throw noFolder();
  const { askFolder } = await import('../new/ask-project.ts');
  return askFolder(asked);
}

async function templateFrom(asked: Terminal | undefined): Promise<Template | undefined> {
  if (asked === undefined) return 'http';
  const { askTemplate } = await import('../new/ask-project.ts');
  return askTemplate(asked);
}

function noFolder(): CliError {
  return new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright new',
    what: 'names no folder.',
    fix: 'toolwright new my-server',
  });
}

function cancelled(terminal: Terminal): typeof EXIT.interrupted {
  terminal.say('Cancelled; nothing was written.');
  return EXIT.interrupted;
}

function sayWhatIsNext(path: string, template: Template, terminal: Terminal): void {
  const { green, bold } = terminal.talk;
  const steps: readonly (readonly [line: string, what: string])[] = [
    ...(path === '' ? [] : [[`cd ${asArgument(visibleText(path))}`, ''] as const]),
    ['npm install', ''],
    ...(template === 'sign-in'
      ? [['npm run provider &', 'where people sign in, on this computer'] as const]
      : []),
    ...(template === 'openapi'
      ? [['npm run api &', 'what stands for your API, on this computer'] as const]
      : []),
    ['npm run dev', 'serve it; a save takes effect at once'],
    ['npm test', 'run its tests'],
  ];
  const lines = steps.map(([line, what]) => [green(line), what] as const);
  terminal.say(`\n${bold('Next')}\n${columns(lines, terminal.talkWidth)}`);
}

/** As the shell of a person reads it. */
function asArgument(path: string): string {
  const certain = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w./~@%+=,:\\-]+$/.test(certain)) return certain;
  if (process.platform === 'win32') return `"${certain}"`;
  return `'${certain.replaceAll("'", String.raw`'\''`)}'`;
}
