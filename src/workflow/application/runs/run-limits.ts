import type { CommandLimits } from '../../domain/run/run-command.ts';

/** What runs may take up, and how they are kept. */
export interface RunLimits extends CommandLimits {
  /** Events after which a new snapshot is kept. Default 100. */
  readonly snapshotEvery: number;
}

const HOUR = 3_600_000;

export const defaultRunLimits: RunLimits = Object.freeze({
  maxAttempts: 5,
  confirmationTtl: 24 * HOUR,
  runTtl: 7 * 24 * HOUR,
  maxContextBytes: 256 * 1024,
  maxOutputBytes: 256 * 1024,
  snapshotEvery: 100,
});
