import { readArguments, sendResult } from './program.ts';

// First what the package depends on, then the package: what is left is the time of its own files
const { packages } = readArguments<{ readonly packages: readonly string[] }>();
const start = performance.now();
for (const url of packages) await import(url);
const loaded = performance.now();
await import('toolwright');
const end = performance.now();
sendResult({ dependencies: loaded - start, own: end - loaded });
