import { fencedBlocks, readText } from '../pins/docs/example.ts';

/** What the guide on running TypeScript asks one who compiles with tsc to write and to run, word by word. */
export interface DocumentedProject {
  readonly packageJson: string;
  readonly tsconfig: string;
  /** The packages of each line of the installation, without options; the packed file by the name of its package. */
  readonly installs: readonly InstallLine[];
  /** The command that builds and starts, in which `npm start` stands last. */
  readonly run: string;
}

export interface InstallLine {
  readonly isDevelopment: boolean;
  readonly packages: readonly string[];
}

export const README = 'README.md';
export const GUIDE = 'docs/guides/getting-started.md';
const COMPILING = 'docs/guides/running-typescript.md';

export function documentedProject(): DocumentedProject {
  return {
    packageJson: onlyBlock(COMPILING, 'json', '{\n  "name"'),
    tsconfig: onlyBlock(COMPILING, 'json', '{\n  "compilerOptions"'),
    installs: installation(COMPILING),
    run: onlyBlock(COMPILING, 'sh', 'npm run build'),
  };
}

const { version } = JSON.parse(readText('package.json')) as { readonly version: string };

/** What `npm pack` writes in a clone, as the pages name it in a folder beside the clone. */
export const PACKED = `../toolwright/toolwright-${version}.tgz`;

/** A page that begins with one file and two commands. */
export interface FirstSteps {
  /** The file that exports a module. */
  readonly server: string;
  readonly installs: readonly InstallLine[];
  /** What follows `npx`, in words. */
  readonly start: readonly string[];
}

export function firstSteps(page: typeof README | typeof GUIDE): FirstSteps {
  const commands = onlyBlock(page, 'sh', 'npm install ').split('\n');
  const start = /^npx (toolwright dev server\.ts)$/.exec(commands.at(-1) ?? '')?.[1];
  if (start === undefined || commands.length !== 2)
    throw new Error(`${page} does not begin with two commands`);
  return { server: serverOf(page), installs: installation(page).slice(0, 1), start: start.split(' ') };
}

function serverOf(page: string): string {
  return onlyBlock(page, 'ts', 'import { Is');
}

/** The file with which the guide begins: it exports `TasksModule`. */
export const documentedServer = (): string => serverOf(GUIDE);

/** The server of the guide as a program: over HTTP, or for clients that start it themselves. */
export function documentedProgram(transport: 'http' | 'stdio'): string {
  const lines = onlyBlock(GUIDE, 'ts', 'const app = await McpApplication.create').split('\n');
  const end =
    transport === 'http' ? lines : [...lines.slice(0, -2), onlyBlock(GUIDE, 'ts', 'await app.stdio();')];
  return ["import { McpApplication } from 'toolwright';", serverOf(GUIDE), ...end, ''].join('\n');
}

const INSTALL = /^npm install( --save-dev)? (.+)$/;

function installation(page: string): readonly InstallLine[] {
  const lines = onlyBlock(page, 'sh', 'npm install ').split('\n');
  return lines.flatMap((line) => {
    const [, development, packages] = INSTALL.exec(line) ?? [];
    return packages === undefined
      ? []
      : [{ isDevelopment: development !== undefined, packages: packages.split(' ').map(nameOfPackage) }];
  });
}

function nameOfPackage(source: string): string {
  return source === PACKED ? 'toolwright' : source;
}

function onlyBlock(page: string, language: string, start: string): string {
  const blocks = fencedBlocks(page, language).filter(({ text }) => text.startsWith(start));
  const [block] = blocks;
  if (block === undefined || blocks.length > 1) {
    throw new Error(`${page} has ${String(blocks.length)} blocks of ${language} that begin with ${start}`);
  }
  return block.text;
}
