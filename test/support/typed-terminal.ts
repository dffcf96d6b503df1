import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Terminal } from '../../src/cli/output/terminal.ts';

export const ENTER = '\r';
export const DOWN = '\u001b[B';
export const CTRL_C = '\u0003';
export const ESCAPE = '\u001b';

/** A terminal at which keys are typed when a question appears. */
export class TypedTerminal {
  readonly terminal: Terminal;
  readonly stdout: PassThrough;
  /** The questions that were asked, in their order. */
  readonly asked: string[] = [];
  /** All that was shown to the person. */
  shown = '';

  /** @param answers the keys for each question, by words that it has */
  constructor(answers: Readonly<Record<string, string>>) {
    const streamOf = () =>
      Object.assign(new PassThrough(), { isTTY: true, columns: 80, setRawMode: () => undefined });
    const [stdin, stdout, stderr] = [streamOf(), streamOf(), streamOf()];
    this.stdout = stdout;
    stderr.on('data', (shown: Buffer) => {
      this.shown += String(shown);
      for (const [question, keys] of Object.entries(answers)) {
        if (this.asked.includes(question) || !String(shown).includes(question)) continue;
        this.asked.push(question);
        void type(keys, stdin);
      }
    });
    this.terminal = new Terminal({ stdin, stdout, stderr, env: {} }, {});
  }
}

async function type(keys: string, stdin: PassThrough): Promise<void> {
  // A prompt reads keys once it has been drawn
  for (const key of keys.split(/(?=[\r\u001b])/)) {
    await nextTurn();
    stdin.write(key);
  }
}
