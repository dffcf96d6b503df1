const AN_HOUR = 3_600_000;
/** A day means another time in each zone. */
const NEAR_DAY = 36 * AN_HOUR;
const NEAR_TIME = AN_HOUR / 60;

/**
 * Whether a JSON value is, or holds, the time of now: a date or time as text, or a count of milliseconds or seconds since
 * the epoch. As a default it would be another one at the next start.
 */
export function isOfThisMoment(value: unknown): boolean {
  if (typeof value === 'string') return isNear(Date.parse(value), NEAR_DAY);
  if (typeof value === 'number') return isNear(value, NEAR_TIME) || isNear(value * 1000, NEAR_TIME);
  return typeof value === 'object' && value !== null && Object.values(value).some(isOfThisMoment);
}

function isNear(time: number, distance: number): boolean {
  return Math.abs(time - Date.now()) < distance;
}
