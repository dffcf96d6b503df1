import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { bundledPostgres } from './bundled-postgres.ts';
import { POSTGRES, type Service } from './service.ts';

/** What the environment variable says, or the program to start. */
export type Found = { readonly given: string } | { readonly program: string };

/** Where to look. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The program that an npm package brings along for this platform. */
  bundled(service: Service): Promise<string | undefined>;
  /** Installs packages, and says whether it could. */
  install(packages: readonly string[]): Promise<boolean>;
}

const INSTALLER = join(import.meta.dirname, '../../../.ci/services');

export const HERE: Surroundings = {
  variables: process.env,
  bundled: async (service) => (service === POSTGRES ? bundledPostgres() : undefined),
  async install(packages) {
    const installer = spawn(INSTALLER, packages, { stdio: ['ignore', 2, 2] });
    return once(installer, 'exit').then(
      ([code]: unknown[]) => code === 0,
      () => false,
    );
  },
};

/** The variable that names one, the PATH, the npm package, the operating system, and what can be installed there. */
export async function findService(service: Service, around: Surroundings = HERE): Promise<Found> {
  const given = around.variables[service.variable];
  if (given !== undefined && given !== '') return { given };
  const path = (around.variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const program =
    (await findProgram(service, path)) ??
    (await around.bundled(service)) ??
    (await findProgram(service, await systemFolders(service)));
  if (program !== undefined) return { program };
  if (await around.install(service.packages)) {
    const installed = await findProgram(service, [...path, ...(await systemFolders(service))]);
    if (installed !== undefined) return { program: installed };
  }
  throw new Error(
    `These tests need ${service.name}: install ${service.packages.join(' and ')} (the name on Debian), ` +
      `or set ${service.variable} to ${service.wanted}.`,
  );
}

async function findProgram(service: Service, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders)
    for (const names of service.programs) {
      const programs = names.map((name) => join(folder, name));
      if (await areExecutable(programs)) return programs[0];
    }
  return undefined;
}

async function areExecutable(programs: readonly string[]): Promise<boolean> {
  return Promise.all(programs.map((program) => access(program, constants.X_OK))).then(
    () => true,
    () => false,
  );
}

/** The newest version first. */
async function systemFolders({ versions }: Service): Promise<readonly string[]> {
  if (versions === undefined) return [];
  const names = await readdir(versions).catch(() => []);
  return names
    .toSorted((left, right) => Number(right) - Number(left))
    .map((version) => join(versions, version, 'bin'));
}
