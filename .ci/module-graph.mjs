#!/usr/bin/env node
// Draws which folder of src/ imports from which into docs/architecture.md; `--check` compares, and also checks that every
// import is one that the rules allow.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../docs/architecture.md', import.meta.url);
const ROOT = new URL('..', import.meta.url);
const BETWEEN_MARKS = /(<!-- module-graph -->\n)[^]*?(<!-- \/module-graph -->)/;

const isCheck = process.argv.includes('--check');

function run(program, args, options) {
  const { status, stdout } = spawnSync('npx', ['--no-install', program, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0) process.exitCode = 1;
  return stdout;
}

// As JSON it ends well whatever it found
const output = run('depcruise', ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']);
if (isCheck) {
  const stdio = ['pipe', 'inherit', 'inherit'];
  run('depcruise-fmt', ['--exit-code', '--output-type', 'err', '-'], { input: output, stdio });
}

const targets = new Map();
for (const { source, dependencies } of JSON.parse(output).modules) {
  const from = entryOf(source);
  if (from === undefined) continue;
  if (!targets.has(from)) targets.set(from, new Set());
  for (const { resolved } of dependencies) {
    const to = entryOf(resolved);
    if (to !== undefined && to !== from) targets.get(from).add(to);
  }
}

/**
 * `application` for src/application.ts and everything in src/application/. A public entry stands for itself:
 * the one of src/model/ may import what lies above the folder.
 */
function entryOf(path) {
  const [, name, rest] = /^src\/([^/.]+)(.*)/.exec(path) ?? [];
  return rest === '/index.ts' ? `entry-${name}` : name;
}

function reaches(from, to, seen = new Set()) {
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(targets.get(from) ?? [])].some((next) => next === to || reaches(next, to, seen));
}

const lines = [...targets.keys()].sort().flatMap((from) => {
  const direct = [...targets.get(from)].sort();
  return direct
    .filter((to) => !direct.some((other) => other !== to && reaches(other, to)))
    .map((to) => `  ${from} --> ${to}`);
});
const graph = `\n\`\`\`mermaid\nflowchart TD\n${lines.join('\n')}\n\`\`\`\n\n`;
const page = readFileSync(PAGE, 'utf8');
const drawn = page.replace(BETWEEN_MARKS, (_all, open, close) => `${open}${graph}${close}`);
if (drawn !== page && isCheck) {
  console.error('The module graph in docs/architecture.md is out of date: npm run docs:graph');
  process.exitCode = 1;
} else if (drawn !== page) {
  writeFileSync(PAGE, drawn);
}
