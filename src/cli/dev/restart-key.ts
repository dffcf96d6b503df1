import type { Terminal } from '../output/terminal.ts';

const RESTART = 'r';
const CTRL_C = '\u0003';

/** The key with which a person starts everything again. */
export interface RestartKey {
  /** Never resolves where nobody is there to press it. */
  readonly pressed: Promise<'restart'>;
  /** Gives the terminal back. */
  release(): void;
}

/** Listens for the key, unless stdin belongs to the protocol. */
export function restartKey(terminal: Terminal, isProtocol = false): RestartKey {
  if (!terminal.canAsk || isProtocol) {
    return { pressed: new Promise(() => undefined), release: () => undefined };
  }
  const { stdin } = process;
  let restart: (key: 'restart') => void = () => undefined;
  const pressed = new Promise<'restart'>((resolve) => {
    restart = resolve;
  });
  const read = (data: Buffer): void => {
    const key = data.toString('utf8');
    // A terminal that hands over single keys makes no signal of this one
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    else if (key === RESTART) restart('restart');
  };
  stdin.setRawMode(true);
  stdin.on('data', read).resume();
  return {
    pressed,
    release: () => {
      stdin.off('data', read).pause();
      stdin.setRawMode(false);
    },
  };
}
