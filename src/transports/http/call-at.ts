import { LONGEST_TIMER } from '../../shared/longest-timer.ts';

/**
 * Calls back when the clock of the system has reached a time; the returned function prevents that.
 * @param time milliseconds since the epoch
 */
export function callAt(time: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    const rest = time - Date.now();
    if (rest <= 0) {
      run();
      return;
    }
    timer = setTimeout(wait, Math.min(rest, LONGEST_TIMER));
    // Some runtimes beside Node give a number, and none of them waits for a timer.
    if (typeof timer === 'object') timer.unref();
  };
  wait();
  return () => {
    clearTimeout(timer);
  };
}
