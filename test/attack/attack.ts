import type { AttackedServer, ServeOptions } from './attacked-server.ts';

/** One attack, beside a harmless request of the same size where there is one. */
export interface AttackRow {
  readonly name: string;
  readonly bytes: number;
  /** Undefined: it had not ended at the limit, when the server was killed. */
  readonly milliseconds: number | undefined;
  readonly benign?: number | undefined;
  /** Whatever else was measured: memory, sockets, how many were refused. */
  readonly note?: string | undefined;
  /** The bound that was broken; one such row fails the whole run. */
  readonly fault?: string | undefined;
}

/** The built package that is under attack. */
export interface Target {
  /** The folder of the package. */
  readonly build: string;
  /** The folder of another version of the package, which runs beside it. */
  readonly beside?: string | undefined;
  readonly isQuick: boolean;
  /** When a request counts as endless, in milliseconds. */
  readonly limit: number;
  /** True: what counts is not how long the loop was held but what the processor did, which a busy machine does not make more. */
  readonly isByProcessor?: boolean;
  /** How long hostile values are, in bytes; undefined: the program chooses. */
  readonly sizes?: readonly number[] | undefined;
  /** Starts a server of `servers/` in a process of its own. Who starts it closes it. */
  readonly serve: (name: string, options?: ServeOptions) => Promise<AttackedServer>;
  readonly progress: (text: string) => void;
}

export interface AttackProgram {
  readonly name: string;
  /** One sentence: what the figures are. */
  readonly measures: string;
  readonly run: (target: Target) => Promise<readonly AttackRow[]>;
}
