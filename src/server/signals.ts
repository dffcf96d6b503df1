export type ShutdownSignal = 'SIGINT' | 'SIGTERM';

const NUMBERS: Readonly<Record<ShutdownSignal, number>> = { SIGINT: 2, SIGTERM: 15 };

/**
 * Runs the callback once when the process is asked to end, then lets the signal do what it does by default,
 * so that whoever started the process sees why it ended. A second signal ends it at once.
 * @returns a function that takes the handlers away
 */
export function onShutdownSignals(callback: (signal: ShutdownSignal) => void | Promise<void>): () => void {
  let isShuttingDown = false;
  const uninstall = (): void => void process.off('SIGINT', handle).off('SIGTERM', handle);
  const shutDown = async (signal: ShutdownSignal): Promise<void> => {
    try {
      await callback(signal);
    } catch (error) {
      process.stderr.write(
        `shutdown failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}\n`,
      );
    }
    uninstall();
    process.kill(process.pid, signal);
  };
  function handle(signal: NodeJS.Signals): void {
    const name: ShutdownSignal = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    // The exit code that shells give a process that a signal ended.
    if (isShuttingDown) process.exit(128 + NUMBERS[name]);
    isShuttingDown = true;
    void shutDown(name);
  }
  process.on('SIGINT', handle).on('SIGTERM', handle);
  return uninstall;
}
