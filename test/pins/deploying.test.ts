import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fencedBlocks, readText, ROOT } from './docs/example.ts';

const PAGE = 'docs/guides/deploying.md';

/** The number that the page has at a place. */
function numberOf(pattern: RegExp, text = readText(PAGE)): number {
  return Number(pattern.exec(text)?.[1]?.replaceAll('_', ''));
}

test('platforms of the guide wait for longer than the drain that it sets up, and 5 seconds for the rest', () => {
  const drainDelay = numberOf(
    /^const DRAIN_DELAY = ([\d_]+);/m,
    readText('src/application/operations/operations.ts'),
  );
  const needed = (drainDelay + numberOf(/drainTimeout: ([\d_]+)/)) / 1000 + 5;
  expect(needed).toBe(30);
  expect(numberOf(/terminationGracePeriodSeconds: (\d+)/)).toBeGreaterThan(needed);
  expect(numberOf(/TimeoutStopSec=(\d+)/)).toBeGreaterThan(needed);
});

test('the unit of the guide is one that systemd reads without a warning, where there is systemd', () => {
  const [unit] = fencedBlocks(PAGE, 'ini');
  expect(unit?.text).toContain('[Service]');
  const analyze = '/usr/bin/systemd-analyze';
  if (!existsSync(analyze)) return;
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  try {
    const file = join(folder, 'tasks.service');
    // Paths that are there on this machine as well
    const text = (unit?.text ?? '').replace(
      /^ExecStart=.*$/m,
      `ExecStart=${process.execPath} ${ROOT}package.json`,
    );
    writeFileSync(file, `${text}\n`);
    const { status, stderr } = spawnSync(analyze, ['verify', '--man=no', file], { encoding: 'utf8' });
    expect([status, stderr.split('\n').filter((line) => line.includes('tasks.service'))]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
