import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentedProject } from '../package/documented-project.ts';
import { StrangerProject } from '../package/stranger-project.ts';
import { blockWith } from '../pins/deploying/guide.ts';
import { EXAMPLES } from '../support/example-process.ts';

const APPLICATION = fileURLToPath(new URL('./application/', import.meta.url));

/** The programs that all runtimes run, by the files that they have in the project. */
export const PROGRAMS = ['quickstart', 'task-board', 'trips'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** Where a program is: as it was written, or as tsc compiled it. */
export function fileOf(program: ProgramName, form: 'compiled' | 'source'): string {
  return form === 'source' ? join('src', program, 'main.ts') : join('dist', program, 'main.js');
}

/** The file of the guide for workers, with the module of the trips. */
function documentedWorker(): string {
  const imports = [
    "import { McpApplication } from 'toolwright';",
    "import { TripModule as AppModule } from './trips.ts';",
  ];
  return [...imports, blockWith('ts', 'export default { fetch'), ''].join('\n');
}

/** A project as the guide sets it up, with the packed package and three programs, compiled. */
export async function createProject(directory: string, tarball: string): Promise<StrangerProject> {
  const project = new StrangerProject(directory);
  const { packageJson, tsconfig, installs } = documentedProject();
  await project.write('package.json', packageJson);
  const { compilerOptions, ...others } = JSON.parse(tsconfig) as { readonly compilerOptions: object };
  // The examples name their files as they are: .ts
  const options = { ...compilerOptions, rewriteRelativeImportExtensions: true };
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions: options, ...others }));
  const sources = new Map([['toolwright', tarball]]);
  for (const { packages, ...line } of installs) {
    await project.install(
      { ...line, packages: [...packages, ...(line.isDevelopment ? [] : ['@libsql/client'])] },
      sources,
    );
  }
  for (const name of ['quickstart', 'task-board']) {
    await cp(join(EXAMPLES, name), join(directory, 'src', name), { recursive: true });
    await project.remove(`src/${name}/client.ts`);
  }
  await cp(APPLICATION, join(directory, 'src/trips'), { recursive: true });
  await project.write('src/trips/worker.ts', documentedWorker());
  await project.compile();
  return project;
}
