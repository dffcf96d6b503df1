/** Figures as the page writes them: each with its unit. */

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

export function bytesOf(bytes: number): string {
  return `${figure(bytes)} B`;
}

export function tokensOf(tokens: number, isExact: boolean): string {
  return `${isExact ? '' : '≈ '}${figure(tokens)} tok`;
}

export function durationOf(milliseconds: number): string {
  return milliseconds < 10_000 ? `${figure(milliseconds, 1)} ms` : `${figure(milliseconds / 1000, 1)} s`;
}

/** The time of the day where the person is. */
export function clockOf(at: number): string {
  const date = new Date(at);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(padded);
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Its day. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
}

function padded(part: number): string {
  return String(part).padStart(2, '0');
}

function figure(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
