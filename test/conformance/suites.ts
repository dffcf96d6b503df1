/** One run of an official suite against the conformance server. */
export interface Suite {
  /** Also the folder of its results. */
  readonly name: string;
  /** The version of `@modelcontextprotocol/conformance`. */
  readonly version: string;
  /** What its command line is given beside the address. */
  readonly args: readonly string[];
  /** Fewer passed checks mean that not everything ran. */
  readonly minimum: number;
}

/** Sets of one version do not change; there is no list of failures that are expected. */
export const SUITES: readonly Suite[] = [
  { name: '0.1.16 all', version: '0.1.16', args: ['--suite', 'all'], minimum: 44 },
  {
    name: 'requirements 2025-11-25',
    version: '0.2.0-alpha.12',
    args: ['--requirements', '2025-11-25'],
    minimum: 84,
  },
  {
    name: 'requirements 2026-07-28',
    version: '0.2.0-alpha.12',
    args: ['--requirements', '2026-07-28'],
    minimum: 196,
  },
  { name: '0.2.0-alpha.12 all', version: '0.2.0-alpha.12', args: ['--suite', 'all'], minimum: 276 },
];
