import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findImportCircle } from '../../../src/cli/target/import-circle.ts';

const folder = mkdtempSync(join(tmpdir(), 'circle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

/** Node's error, thrown while a file ran. */
function tooEarly(file: string): ReferenceError {
  const error = new ReferenceError("Cannot access 'Users' before initialization");
  error.stack = `${error.message}\n    at file://${file}?tw=3:2:35\n    at ModuleJob.run (node:internal/modules/esm/module_job:274:25)`;
  return error;
}

test('names the files that import each other, and the name that was used too early', () => {
  const teams = write(
    'teams.ts',
    "import { Users } from './users.js';\nimport type { Other } from './other.ts';\n",
  );
  write('users.ts', "import { a } from 'toolwright'; import { Mid } from './mid';\n");
  write('mid.ts', "export * from './teams.ts';\n");
  write('other.ts', "import './teams.ts';\n");
  const circle = findImportCircle(tooEarly(teams));
  expect(circle?.name).toBe('Users');
  expect(circle?.files.map((file) => basename(file))).toEqual(['teams.ts', 'users.ts', 'mid.ts', 'teams.ts']);
});

test('compiled files are read as well', () => {
  const a = write('a.js', "import{Users}from'./b.js';");
  write('b.js', "import './a.js';");
  expect(findImportCircle(tooEarly(a))?.files).toHaveLength(3);
});

test('finds nothing where files do not import each other, and in other errors', () => {
  const alone = write('alone.ts', "import { b } from './users.ts';\n");
  expect(findImportCircle(tooEarly(alone))).toBeUndefined();
  expect(findImportCircle(new ReferenceError('x is not defined'))).toBeUndefined();
  expect(findImportCircle('Cannot access')).toBeUndefined();
});
