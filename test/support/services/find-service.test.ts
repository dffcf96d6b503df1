import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findService, type Surroundings } from './find-service.ts';
import { CHROMIUM, POSTGRES, REDIS, SERVICES, type Service } from './service.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'toolwright-find-'));
});

afterEach(() => rm(home, { recursive: true }));

async function writeProgram(path: string, mode = 0o755): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, mode);
  return file;
}

/** PostgreSQL, of a Debian that is in the temporary folder. */
function postgres(): Service {
  return { ...POSTGRES, versions: join(home, 'debian') };
}

/** A machine that has nothing, but for what a test says. */
function bare({
  folders = [],
  ...more
}: Partial<Surroundings> & { folders?: readonly string[] } = {}): Surroundings {
  return {
    variables: { PATH: folders.map((folder) => join(home, folder)).join(delimiter) },
    bundled: async () => undefined,
    install: async () => false,
    ...more,
  };
}

describe('a service is found', () => {
  test('first where the environment variable says', async () => {
    await writeProgram('bin/redis-server');
    const around = bare({ folders: ['bin'] });
    const variables = { ...around.variables, TOOLWRIGHT_REDIS_URL: 'redis://elsewhere' };
    expect(await findService(REDIS, { ...around, variables })).toEqual({ given: 'redis://elsewhere' });
  });

  test('then on the PATH, in the first folder that has all of its programs', async () => {
    await writeProgram('first/postgres');
    await writeProgram('second/postgres');
    await writeProgram('second/initdb', 0o644);
    const program = await writeProgram('third/postgres');
    await writeProgram('third/initdb');
    const around = bare({ folders: ['first', 'second', 'third'], bundled: async () => 'bundled' });
    const variables = { ...around.variables, TOOLWRIGHT_POSTGRES_URL: '' };
    expect(await findService(postgres(), { ...around, variables })).toEqual({ program });
  });

  test('then in the package that npm installed', async () => {
    await writeProgram('debian/15/bin/postgres');
    await writeProgram('debian/15/bin/initdb');
    const around = bare({ bundled: async () => 'bundled' });
    expect(await findService(postgres(), around)).toEqual({ program: 'bundled' });
  });

  test('then where Debian keeps it, in its newest version', async () => {
    for (const version of ['9', '15', '11']) {
      await writeProgram(`debian/${version}/bin/postgres`);
      await writeProgram(`debian/${version}/bin/initdb`);
    }
    const program = join(home, 'debian/15/bin/postgres');
    expect(await findService(postgres(), bare())).toEqual({ program });
  });

  test('and is installed where it is missing', async () => {
    const installed: (readonly string[])[] = [];
    const around = bare({
      folders: ['bin'],
      install: async (packages) => {
        installed.push(packages);
        await writeProgram('bin/chromium');
        return true;
      },
    });
    expect(await findService(CHROMIUM, around)).toEqual({ program: join(home, 'bin/chromium') });
    expect(installed).toEqual([['chromium-headless-shell']]);
  });

  test('by any of its names', async () => {
    const program = await writeProgram('bin/google-chrome');
    expect(await findService(CHROMIUM, bare({ folders: ['bin'] }))).toEqual({ program });
  });
});

describe('a service that is missing', () => {
  test.each(Object.values(SERVICES))('is asked for in one sentence: $name', async (service) => {
    const missing = { ...service, versions: undefined };
    const packages = service.packages.join(' and ');
    await expect(findService(missing, bare())).rejects.toThrow(
      `These tests need ${service.name}: install ${packages} (the name on Debian), or set ${service.variable}`,
    );
  });

  test('is asked for, too, where the installation brought no such program', async () => {
    const around = bare({ install: async () => true });
    await expect(findService(REDIS, around)).rejects.toThrow('These tests need Redis');
  });
});
