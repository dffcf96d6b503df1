import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPackageSource, installLine } from '../../src/cli/package-source.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'source-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, content: object | string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const installed = (): string => join(folder, 'project/node_modules/toolwright');

describe('the package knows where a project gets it from', () => {
  test.each([
    ['^0.1.0', 'registry'],
    ['latest', 'registry'],
    ['https://packages.example/toolwright-0.1.0.tgz', 'registry'],
    ['file:../toolwright-0.1.0.tgz', 'file'],
    ['../toolwright-0.1.0.tgz', 'file'],
    ['file:../gone/toolwright-0.1.0.tgz', 'folder'],
  ])('installed for %s: %s', (range, kind) => {
    write('toolwright-0.1.0.tgz', 'packed');
    write('project/package.json', { dependencies: { toolwright: range } });
    expect(findPackageSource(installed()).kind).toBe(kind);
  });

  test.each(['devDependencies', 'optionalDependencies'])('named in %s', (field) => {
    write('toolwright-0.1.0.tgz', 'packed');
    write('project/package.json', { [field]: { toolwright: 'file:../toolwright-0.1.0.tgz' } });
    const file = join(folder, 'toolwright-0.1.0.tgz');
    expect(findPackageSource(installed())).toEqual({ kind: 'file', path: file });
    expect(installLine(findPackageSource(installed()))).toBe(`npm install ${file}`);
  });

  test('in the store of a package manager that links, below the project', () => {
    write('toolwright-0.1.0.tgz', 'packed');
    write('project/package.json', { dependencies: { toolwright: 'file:../toolwright-0.1.0.tgz' } });
    const stored = join(folder, 'project/node_modules/.pnpm/toolwright@file+0.1.0/node_modules/toolwright');
    expect(findPackageSource(stored).kind).toBe('file');
  });

  test('a clone is a folder to pack; a project that says nothing has it from a registry', () => {
    write('clone/package.json', { name: 'toolwright' });
    const clone = findPackageSource(join(folder, 'clone'));
    expect(clone).toEqual({ kind: 'folder', path: join(folder, 'clone') });
    expect(installLine(clone)).toMatch(
      /^npm pack, in .*clone, then npm install .*clone\/toolwright-\d.*\.tgz$/,
    );
    expect(installLine(findPackageSource(installed()))).toBe('npm install toolwright');
  });
});
