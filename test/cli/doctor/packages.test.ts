import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { examineNode, examinePackages } from '../../../src/cli/doctor/packages.ts';
import { packageManifest } from '../../../src/cli/package-version.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = packageManifest();

test.each([
  ['18.20.0', 'problem'],
  ['20.18.3', 'problem'],
  ['20.19.0', 'advice'],
  ['22.12.0', 'ok'],
  ['26.0.0-nightly20260101', 'ok'],
])('Node %s is %s', (version, state) => {
  expect(examineNode(version)).toMatchObject({ about: 'Node', state });
});

describe('examinePackages', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'doctor-')));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'toolwright'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(path: string, manifest: object): void {
    const file = join(folder, path, 'package.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(manifest));
  }

  function found(about: string): Finding | undefined {
    return examinePackages({ folder, file: undefined }).find((finding) => finding.about === about);
  }

  test('names what is not installed', () => {
    expect(found('toolwright')?.state).toBe('ok');
    expect(found('class-validator')).toMatchObject({
      state: 'problem',
      found: 'is not installed',
      fix: 'npm install class-validator',
    });
    rmSync(join(folder, 'node_modules', 'toolwright'));
    // The command runs in a clone here
    const fix = `npm pack, in ${ROOT.slice(0, -1)}, then npm install ${ROOT}toolwright-${version}.tgz`;
    expect(found('toolwright')).toMatchObject({ state: 'problem', fix });
  });

  test('names a version that does not fit', () => {
    write('node_modules/class-validator', { version: '0.13.2' });
    expect(found('class-validator')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('0.13.2'),
      fix: "npm install 'class-validator@^0.14 || ^0.15'",
    });
  });

  test('names another copy of this package', () => {
    rmSync(join(folder, 'node_modules', 'toolwright'));
    write('node_modules/toolwright', { version: '9.9.9' });
    expect(found('toolwright')).toMatchObject({ state: 'problem', found: expect.stringContaining('9.9.9') });
  });

  test('finds the copies of dependencies that use them, and of no others', () => {
    write('.', { dependencies: { classes: '1', other: '1', missing: '1' } });
    for (const name of ['class-validator', 'class-transformer'])
      write(`node_modules/${name}`, { version: name === 'class-validator' ? '0.15.1' : '0.5.1' });
    write('node_modules/classes', { version: '1.0.0', dependencies: { 'class-transformer': '^0.5.1' } });
    write('node_modules/classes/node_modules/class-transformer', { version: '0.5.1' });
    write('node_modules/other/node_modules/class-validator', { version: '0.14.0' });
    write('node_modules/other', { version: '1.0.0' });
    const finding = found('class-transformer');
    expect(finding).toMatchObject({ state: 'problem', fix: expect.stringContaining('npm dedupe') });
    expect(finding?.found).toContain(join(folder, 'node_modules/classes/node_modules/class-transformer'));
    expect(found('class-validator')?.found).not.toContain('0.14.0');
  });

  test('advises against a second tsyringe', () => {
    expect(found('tsyringe')?.state).toBe('ok');
    write('node_modules/tsyringe', { version: '4.8.0' });
    expect(found('tsyringe')).toMatchObject({ state: 'advice', fix: expect.stringContaining('npm dedupe') });
    expect(found('tsyringe')?.found).toContain(`4.8.0 in ${join(folder, 'node_modules/tsyringe')}`);
  });

  test('a package.json that cannot be read counts as none', () => {
    write('.', { dependencies: 'broken' });
    writeFileSync(join(folder, 'package.json'), '{');
    expect(found('toolwright')?.state).toBe('ok');
  });
});
