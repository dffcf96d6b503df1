import {
  hostApplications,
  type ApplicationOptions,
  type ApplicationHost,
  type HttpListenOptions,
  type HttpServing,
  type McpApplication,
  type Serving,
  type StdioListenOptions,
  type Working,
  type WorkingOptions,
} from '../../index.ts';

/** An application that a file made while it was loaded. */
export interface CreatedApplication {
  readonly application: McpApplication;
  readonly rootModule: unknown;
  readonly options: ApplicationOptions;
  /** How the file wanted it to be served; undefined while it did not ask. */
  readonly listenOptions: HttpListenOptions | undefined;
  readonly stdioOptions: StdioListenOptions | undefined;
  /** Whether the file wanted it to work on queues. */
  readonly isWorker: boolean;
  /** What serves it already, because the host opens what the file asks for. */
  readonly servings: readonly Serving[];
}

/** How a host opens what files ask for: with these options, or not at all. */
export interface Opening {
  listen(options: HttpListenOptions): HttpListenOptions | undefined;
  stdio(options: StdioListenOptions): StdioListenOptions | undefined;
}

export interface HostOptions {
  readonly isDevelopment?: boolean;
  /** Nothing is constructed, and no hook runs. */
  readonly compilesOnly?: boolean;
  /** Everybody may see and do everything; `unless-local`: where the application does not say who calls from this machine. */
  readonly trustsCallers?: boolean | 'unless-local';
  /** The application whose place the one of the file takes: asked for, so that no host keeps one that is closed. */
  readonly predecessor?: () => McpApplication | undefined;
  /** What the explorer learns beyond the applications. */
  readonly explorer?: ApplicationHost['explorer'];
  /** Default: nothing is opened. */
  readonly opening?: Opening;
}

interface Created extends CreatedApplication {
  listenOptions: HttpListenOptions | undefined;
  stdioOptions: StdioListenOptions | undefined;
  isWorker: boolean;
  readonly servings: Serving[];
}

/**
 * Takes over the applications of loaded files: unless it opens them itself, `listen()`, `stdio()` and `work()` open nothing,
 * and resolve to a handle that ends with the command.
 */
export class EntryHost implements ApplicationHost {
  readonly isDevelopment: boolean;
  readonly compilesOnly: boolean;
  readonly trustsCallers: boolean | 'unless-local';
  readonly explorer: ApplicationHost['explorer'];
  readonly #predecessor: (() => McpApplication | undefined) | undefined;
  readonly #created: Created[] = [];
  readonly #opening: Opening | undefined;
  readonly #release: () => void;
  readonly #closed: Promise<void>;
  #end: () => void = () => undefined;
  /** Runs whenever an application was created or handed over. */
  #onChange: () => void = () => undefined;
  #isServing = false;

  constructor(options: HostOptions = {}) {
    this.isDevelopment = options.isDevelopment ?? false;
    this.compilesOnly = options.compilesOnly ?? false;
    this.trustsCallers = options.trustsCallers ?? false;
    this.explorer = options.explorer;
    this.#predecessor = options.predecessor;
    this.#opening = options.opening;
    this.#release = hostApplications(this);
    this.#closed = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get predecessor(): McpApplication | undefined {
    return this.#predecessor?.();
  }

  get applications(): readonly CreatedApplication[] {
    return this.#created;
  }

  /** Resolves at the next application that is created or handed over. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }

  created(application: object, rootModule: unknown, options: ApplicationOptions = {}): void {
    this.#created.push({
      application: application as McpApplication,
      rootModule,
      options,
      listenOptions: undefined,
      stdioOptions: undefined,
      isWorker: false,
      servings: [],
    });
    this.#onChange();
  }

  async listen(
    application: object,
    options: HttpListenOptions,
    open: (options: HttpListenOptions) => Promise<HttpServing>,
  ): Promise<HttpServing> {
    if (this.#isServing) return open(options);
    const known = this.#created.find((each) => each.application === application);
    if (known !== undefined) known.listenOptions = options;
    const opened = this.#opening?.listen(options);
    const serving = opened === undefined ? this.#listenHandle(options) : await open(opened);
    if (opened !== undefined) known?.servings.push(serving);
    this.#onChange();
    return serving;
  }

  async stdio(
    application: object,
    options: StdioListenOptions,
    open: (options: StdioListenOptions) => Promise<Serving>,
  ): Promise<Serving> {
    if (this.#isServing) return open(options);
    const known = this.#created.find((each) => each.application === application);
    if (known !== undefined) known.stdioOptions = options;
    const opened = this.#opening?.stdio(options);
    const serving = opened === undefined ? this.#handle() : await open(opened);
    if (opened !== undefined) known?.servings.push(serving);
    this.#onChange();
    return serving;
  }

  /** Where nothing is opened, no task is taken. */
  async work(
    application: object,
    options: WorkingOptions,
    open: (options: WorkingOptions) => Promise<Working>,
  ): Promise<Working> {
    const known = this.#created.find((each) => each.application === application);
    if (known !== undefined) known.isWorker = true;
    const working =
      this.#opening === undefined
        ? { ...this.#handle(), queues: options.queues ?? [] }
        : await open({ ...options, signals: false });
    if (this.#opening !== undefined) known?.servings.push(working);
    this.#onChange();
    return working;
  }

  /** Serves for real: the call of `listen()` or `stdio()` in it is not taken over. */
  serve<Kind extends Serving>(start: () => Promise<Kind>): Promise<Kind> {
    this.#isServing = true;
    try {
      return start();
    } finally {
      this.#isServing = false;
    }
  }

  /** Adds what serves an application now. */
  keep(application: McpApplication, serving: Serving): void {
    this.#created.find((each) => each.application === application)?.servings.push(serving);
  }

  /** Lets go of the process, and ends the handles that files hold. */
  release(): void {
    this.#release();
    this.#end();
  }

  #listenHandle(options: HttpListenOptions): HttpServing {
    const { port = 0, host = '127.0.0.1', path = '/mcp', socketPath } = options;
    const place = socketPath === undefined ? `${host}:${String(port)}` : `unix:${socketPath}:`;
    return { ...this.#handle(), url: `http://${place}${path}`, port, socketPath };
  }

  #handle(): Serving {
    return {
      closed: this.#closed,
      stop: () => Promise.resolve(),
      close: () => Promise.resolve(),
      notify: () => undefined,
    };
  }
}

/** Whether the file said what its application is for. */
export function isHandedOver({ listenOptions, stdioOptions, isWorker }: CreatedApplication): boolean {
  return listenOptions !== undefined || stdioOptions !== undefined || isWorker;
}
