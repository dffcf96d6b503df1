import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { examineTsconfig } from '../../../src/cli/doctor/sources.ts';

const TSCONFIG = JSON.stringify({
  compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true },
});
const PLUGIN = "import { toolwright } from 'toolwright/vite'; export default { plugins: [toolwright()] };";
const VITEST = JSON.stringify({ devDependencies: { vitest: '^4.0.0' } });

test.each<readonly [what: string, files: Readonly<Record<string, string>>, state: string | undefined]>([
  ['neither', { 'package.json': VITEST }, 'advice'],
  ['a tsconfig.json without the flags', { 'package.json': VITEST, 'tsconfig.json': '{}' }, 'advice'],
  ['other plugins', { 'package.json': VITEST, 'vite.config.ts': 'export default {};' }, 'advice'],
  ['a tsconfig.json with the flags', { 'package.json': VITEST, 'tsconfig.json': TSCONFIG }, 'ok'],
  ['the plugin', { 'package.json': VITEST, 'vitest.config.mts': PLUGIN }, 'ok'],
  ['no Vitest', { 'package.json': '{}' }, undefined],
])('Vitest finds %s', (_what, files, state) => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const found = examineTsconfig({ folder, file: undefined }).find(({ about }) => about === 'vitest');
    expect(found?.state).toBe(state);
    if (state === 'advice') expect(found).toMatchObject({ fix: expect.stringContaining('toolwright/vite') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
