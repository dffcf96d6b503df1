import type { LogLevel } from '../call/call-exchange.ts';

/** Least severe first (spec: server/utilities/logging, Log Levels). */
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];
