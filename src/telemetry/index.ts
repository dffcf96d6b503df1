export { openTelemetry } from './open-telemetry.ts';
export type { OpenTelemetryOptions, OptInAttributes } from './options.ts';
