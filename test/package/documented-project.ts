import { fencedBlocks } from '../pins/docs/example.ts';

/** What a page asks a newcomer to write and to run, word by word. */
export interface DocumentedProject {
  readonly packageJson: string;
  readonly tsconfig: string;
  readonly main: string;
  /** The packages of each line of the installation, without options. */
  readonly installs: readonly InstallLine[];
  /** The command that builds and starts, in which `npm start` stands last. */
  readonly run: string;
}

export interface InstallLine {
  readonly isDevelopment: boolean;
  readonly packages: readonly string[];
}

const INSTALL = /^npm install( --save-dev)? (.+)$/;

export function documentedProject(page: string): DocumentedProject {
  const only = (language: string, start: string): string => {
    const blocks = fencedBlocks(page, language).filter(({ text }) => text.startsWith(start));
    const [block] = blocks;
    if (block === undefined || blocks.length > 1) {
      throw new Error(`${page} has ${String(blocks.length)} blocks of ${language} that begin with ${start}`);
    }
    return block.text;
  };
  const installation = only('sh', 'npm install toolwright');
  const installs = installation.split('\n').map((line) => {
    const [, development, packages] = INSTALL.exec(line) ?? [];
    if (packages === undefined) throw new Error(`${page}: this line installs nothing: ${line}`);
    return { isDevelopment: development !== undefined, packages: packages.split(' ') };
  });
  return {
    packageJson: only('json', '{\n  "name"'),
    tsconfig: only('json', '{\n  "compilerOptions"'),
    main: only('ts', 'import { Is'),
    installs,
    run: only('sh', 'npm run build'),
  };
}

/** The page's server, with the end that the page shows for clients that start it themselves. */
export function startedByClients(page: string, main: string): string {
  const [instead] = fencedBlocks(page, 'ts').filter(({ text }) => text === 'await app.stdio();');
  if (instead === undefined) throw new Error(`${page} does not show how to serve over stdio`);
  const lines = main.split('\n');
  return [...lines.slice(0, -2), instead.text].join('\n');
}
