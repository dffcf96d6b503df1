import { join } from 'node:path';

export const BENCH = import.meta.dirname;

export const PROJECT = join(BENCH, '..');

/** What the benchmarks compare with, and where it is installed. */
export const PEERS = join(BENCH, 'peers');

/** Everything that is compiled before anything is measured. */
export const OUTPUT = join(BENCH, 'dist');

/** Where the compiled files of this folder are. */
export const COMPILED = join(OUTPUT, 'bench');
