import type { Readable, Writable } from 'node:stream';
import { guardStdout } from '../../shared/guard-stdout.ts';
import { parseJson } from '../../shared/json.ts';
import { nextTurn } from '../../shared/platform.ts';
import { createPaint, isColoured, type Paint } from './colours.ts';
import { Progress } from './progress.ts';
import { visibleLine, visibleText } from '../../shared/visible-text.ts';
import { withoutCommands } from './code-host.ts';
import { wrap } from './wrap.ts';

/** The options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
}

type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The streams and variables of a process. */
export interface ProcessStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_WIDTH = 80;
const WIDEST = 120;

/**
 * What a command reads and writes: its result goes to stdout, everything that is said to a person to stderr. While it
 * is there, what loaded files print to stdout goes to stderr as well.
 */
export class Terminal {
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Whether a question can be asked: a person is at both ends, and did not refuse. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal on which a line may be drawn again. */
  readonly canRedraw: boolean;
  /** Colours of stdout. */
  readonly paint: Paint;
  /** Colours of stderr. */
  readonly talk: Paint;
  readonly #streams: ProcessStreams;
  readonly #isQuiet: boolean;
  readonly #write: (text: string) => Promise<void>;
  #written: Promise<void> = Promise.resolve();
  #lastLine: string | undefined;

  constructor(streams: ProcessStreams, options: CommonOptions) {
    const { stdin, stdout, stderr, env } = streams;
    const { json = false, quiet = false, verbose = false, color } = options;
    this.#streams = streams;
    this.#isQuiet = quiet;
    this.isJson = json;
    this.isVerbose = verbose;
    this.canRedraw = canRedraw(streams);
    this.canAsk = this.canRedraw && stdin.isTTY === true && options.input !== false;
    const paintOf = ({ isTTY = false }: Stream): Paint =>
      createPaint(isColoured({ chosen: color, env, isTerminal: isTTY }));
    this.paint = paintOf(stdout);
    this.talk = paintOf(stderr);
    const guard = guardStdout(stdout, stderr);
    guard?.retire();
    this.#write = guard?.write ?? writerOf(stdout);
    // A reader that leaves early, as `head` does, has all that it wanted
    for (const stream of [stdout, stderr]) stream.on('error', endWithReader);
  }

  /** Columns of stdout; a pipe has no end. */
  get width(): number {
    const { stdout } = this.#streams;
    return stdout.isTTY === true ? Math.min(stdout.columns ?? DEFAULT_WIDTH, WIDEST) : Infinity;
  }

  /** Columns of stderr; a pipe has no end. */
  get talkWidth(): number {
    const { stderr } = this.#streams;
    return stderr.isTTY === true ? Math.min(stderr.columns ?? DEFAULT_WIDTH, WIDEST) : Infinity;
  }

  get stdin(): Readable & { readonly isTTY?: boolean } {
    return this.#streams.stdin;
  }

  /** Where questions are asked and answered: stdout has the result. */
  get questions(): { readonly input: Readable; readonly output: Writable } {
    return { input: this.#streams.stdin, output: this.#streams.stderr };
  }

  get env(): ProcessStreams['env'] {
    return this.#streams.env;
  }

  /** Writes the result, or a part of it. Texts of strangers cannot steer a terminal. */
  print(text: string): void {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    // At once, so that what is said afterwards stands below it
    const writing = this.#write(ended).catch(endWithReader);
    this.#written = this.#written.then(() => writing);
  }

  /** Writes the result as one line of JSON. */
  json(value: unknown): void {
    this.print(this.foreign(JSON.stringify(value)));
  }

  /** Writes the result in the form that was asked for. */
  give(value: unknown, text: () => string): void {
    if (this.isJson) this.json(value);
    else this.print(text());
  }

  /**
   * Text of others for stdout, as text or as JSON, whose values stay the same: it steers no terminal, and a log of CI,
   * which may have a terminal as well, takes none of it for a command.
   */
  foreign(text: string): string {
    return withoutCommands(this.#streams.stdout.isTTY === true ? visibleText(text) : text);
  }

  /** A name or another short text of others: one line, in a file and in a pipe as well, so that it adds no row to a list. */
  label(text: string): string {
    return withoutCommands(visibleLine(text));
  }

  /** Text of others for a person: broken between words on a terminal. JSON stays as it is, so that it can be copied. */
  prose(text: string): string {
    const shown = this.foreign(text);
    const isWhole = this.width === Infinity || parseJson(text) !== undefined;
    return isWhole ? shown : wrap(shown, this.width);
  }

  /** Says something to a person. */
  say(text: string): void {
    if (!this.#isQuiet) this.complain(text);
  }

  /** Says what only `--verbose` asks for. */
  mention(text: string): void {
    if (this.isVerbose) this.complain(text);
  }

  /** Says what even `--quiet` does not silence: failures. */
  complain(text: string): void {
    this.line(wrap(text, this.talkWidth, '  '));
  }

  /** Writes a line to stderr. CI reads it as it reads stdout. */
  line(text: string): void {
    this.#streams.stderr.write(`${withoutCommands(text)}\n`);
  }

  /** A bar for work that reports how far it is, a line now and then where none can be drawn. */
  progress(label: string): Progress {
    const { stderr } = this.#streams;
    const write = stderr.write.bind(stderr);
    const progress = new Progress(label, {
      write: (text) => {
        if (!this.#isQuiet) write(withoutCommands(text));
      },
      canRedraw: this.canRedraw,
      width: () => Math.min(this.talkWidth, WIDEST),
      paint: this.talk,
      onEnd: () => {
        if (stderr.write === writeBelow) Reflect.deleteProperty(stderr, 'write');
      },
    });
    const writeBelow = (...written: unknown[]): boolean => {
      progress.erase();
      return Reflect.apply(write, undefined, written) as boolean;
    };
    // What a loaded file prints begins on an empty line, too
    if (this.canRedraw) stderr.write = writeBelow;
    return progress;
  }

  /** The last line of stderr that `--json` promises for a command that does not end with 0; {@link end} writes it. */
  failed(error: Readonly<Record<string, unknown>>): void {
    if (this.isJson) this.#lastLine = visibleText(JSON.stringify({ error }));
  }

  /** Resolves when everything has left the process. */
  async end(): Promise<void> {
    await this.#written;
    // Node writes a warning, such as that of a loaded file, a turn after its cause
    await nextTurn();
    if (this.#lastLine !== undefined) this.line(this.#lastLine);
  }
}

function canRedraw({ stderr, env }: ProcessStreams): boolean {
  return stderr.isTTY === true && !isSet(env['CI']) && env['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false';
}

function writerOf(stream: Writable): (text: string) => Promise<void> {
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
}

function endWithReader(error: unknown): void {
  if ((error as { readonly code?: unknown }).code === 'EPIPE') process.exit();
  throw error;
}
