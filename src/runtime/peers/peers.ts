import { Buffer } from 'node:buffer';
import type { Logger } from '../../call/logger.ts';
import { FailureLog } from '../../shared/failure-log.ts';
import { unref } from '../../shared/platform.ts';
import { createKeyring, type Keyring, type Secrets } from '../../shared/sealed-text.ts';
import type { Bus } from './bus.ts';

export interface PeerOptions {
  /** Of the application: instances of another one are no peers. */
  readonly name: string;
  /** Texts on the bus are sealed with them. */
  readonly secrets: Secrets | undefined;
  readonly logger: Logger;
}

/** Takes what another instance sends; what it gives is the answer, and undefined is none. */
export type PeerListener = (body: unknown) => unknown;

/** What one instance sends to another one, or to all. */
interface Letter {
  readonly v: 1;
  readonly from: string;
  readonly topic?: string;
  readonly body?: unknown;
  /** Names a question, whose answer names it, too. */
  readonly question?: number | undefined;
  readonly answers?: number | undefined;
}

/** Milliseconds that an instance has for an answer. */
const DEADLINE = 2_000;
/** Milliseconds after a failure of the bus in which an instance may not have connected again. */
const RECOVERING = 10_000;

/** The instances of one application, which send each other short messages over their bus. */
export class Peers {
  /** The unique name of this one. */
  readonly instance = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  readonly #bus: Bus | undefined;
  readonly #name: string;
  readonly #logger: Logger;
  readonly #keyring: Keyring;
  readonly #listeners = new Map<string, Set<PeerListener>>();
  readonly #questions = new Map<number, (answer: unknown) => void>();
  readonly #stops: (() => void)[] = [];
  #asked = 0;
  readonly #failures = new FailureLog({
    event: 'backplane.bus-failed',
    fails:
      'The bus fails. Until it works again, clients of other instances do not learn of changes, and replies may not arrive.',
    works: 'The bus works again.',
  });
  #failedAt = -Infinity;

  private constructor(bus: Bus | undefined, { name, secrets, logger }: PeerOptions) {
    this.#bus = bus;
    this.#name = name;
    this.#logger = logger;
    this.#keyring = createKeyring(secrets, `bus:${name}`);
  }

  /** @param bus undefined where each instance is on its own */
  static async join(bus: Bus | undefined, options: PeerOptions): Promise<Peers> {
    const peers = new Peers(bus, options);
    if (bus === undefined) return peers;
    const receive = (text: string): void => void peers.#receive(text);
    for (const channel of [peers.#channelOf('all'), peers.#channelOf(peers.instance)]) {
      peers.#stops.push(await bus.subscribe(channel, receive));
    }
    peers.onGap(() => (peers.#failedAt = performance.now()));
    return peers;
  }

  /** Whether silence says nothing about an instance, because the bus does not work, or did not until just now. */
  get isDoubtful(): boolean {
    return (
      this.#bus === undefined || this.#failures.isFailing || performance.now() - this.#failedAt < RECOVERING
    );
  }

  /** Receives what the others say about a topic. @returns what ends that */
  on(topic: string, listener: PeerListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Runs the listener when messages may have been lost. @returns what ends that */
  onGap(listener: () => void): () => void {
    const stop = this.#bus?.onGap(listener) ?? ((): void => undefined);
    this.#stops.push(stop);
    return stop;
  }

  /**
   * Receives from now on what the others tell a group.
   * @returns what ends that
   * @throws Error where the bus fails
   */
  async follow(group: string): Promise<() => void> {
    if (this.#bus === undefined) return () => undefined;
    return this.#bus.subscribe(this.#channelOf(group), (text) => void this.#receive(text));
  }

  /**
   * It is lost while the bus fails. Never rejects.
   * @param to the name of one instance, or of a group. Default: all others
   */
  tell(topic: string, body: unknown, to = 'all'): Promise<void> {
    return this.#send(to, { v: 1, from: this.instance, topic, body }).catch(() => undefined);
  }

  /**
   * Asks one instance.
   * @returns its answer, `null` where it has none, undefined where it is silent
   * @throws Error where the bus fails
   */
  async ask(instance: string, topic: string, body: unknown): Promise<unknown> {
    this.#asked += 1;
    const question = this.#asked;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answered = new Promise<unknown>((resolve) => {
      this.#questions.set(question, resolve);
      timer = setTimeout(resolve, DEADLINE);
      unref(timer);
    });
    try {
      await this.#send(instance, { v: 1, from: this.instance, topic, body, question });
      return await answered;
    } finally {
      clearTimeout(timer);
      this.#questions.delete(question);
    }
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const settle of this.#questions.values()) settle(undefined);
  }

  async #receive(text: string): Promise<void> {
    const letter = this.#open(text);
    if (letter === undefined || letter.from === this.instance) return;
    const { from, topic = '', body, question, answers } = letter;
    if (answers !== undefined) {
      this.#questions.get(answers)?.(body);
      return;
    }
    let answer: unknown = null;
    for (const listener of this.#listeners.get(topic) ?? []) {
      // A listener that fails does not answer
      answer =
        (await Promise.resolve(body)
          .then(listener)
          .catch(() => undefined)) ?? answer;
    }
    if (question === undefined) return;
    const reply = { v: 1, from: this.instance, body: answer, answers: question } as const;
    this.#send(from, reply).catch(() => undefined);
  }

  async #send(to: string, letter: Letter): Promise<void> {
    if (this.#bus === undefined) throw new Error('The instances have no bus');
    try {
      await this.#bus.publish(this.#channelOf(to), this.#keyring.seal(Buffer.from(JSON.stringify(letter))));
      this.#failures.worked(this.#logger);
    } catch (error) {
      this.#failedAt = performance.now();
      this.#failures.failed(error, this.#logger);
      throw error;
    }
  }

  #channelOf(to: string): string {
    return `${this.#name}:instances:${to}`;
  }

  /** Undefined for a text of another release, or of somebody who does not know the secrets. */
  #open(text: string): Letter | undefined {
    const content = this.#keyring.open(text);
    if (content === undefined) return undefined;
    const letter = JSON.parse(Buffer.from(content).toString()) as Letter;
    return (letter.v as number) === 1 ? letter : undefined;
  }
}
