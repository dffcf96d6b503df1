/** Whether suites run with their full counts, as `npm run soak -- --only suites` does before a release. */
export const IS_THOROUGH = process.env['TOOLWRIGHT_THOROUGH'] === '1';

/** How often something is tried: few times in `npm test`, which everybody waits for, and the full number in `npm run soak`. */
export function tries(quick: number, full: number): number {
  return IS_THOROUGH ? full : quick;
}
