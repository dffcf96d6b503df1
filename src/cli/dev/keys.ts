import type { ReadStream } from 'node:tty';

const CTRL_C = '\u0003';

/** Single keys of a person at a terminal. @returns a function that gives the terminal back */
export function onKeys(stdin: NodeJS.ReadStream, keys: Readonly<Record<string, () => void>>): () => void {
  const terminal: ReadStream = stdin;
  const hear = (data: Buffer): void => {
    const key = data.toString('utf8');
    // A terminal that hands over single keys makes no signal of this one
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    else keys[key]?.();
  };
  terminal.setRawMode(true);
  terminal.on('data', hear).resume();
  return () => {
    terminal.off('data', hear).pause();
    terminal.setRawMode(false);
  };
}
