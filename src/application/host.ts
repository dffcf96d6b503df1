import type { ApplicationOptions } from './application-options.ts';
import type { HttpServing, Serving } from '../transports/serving.ts';
import type { HttpListenOptions, StdioListenOptions } from './listen-options.ts';
import type { Working, WorkingOptions } from './working.ts';

/**
 * A program that loads files with applications, and serves these in the place of the files: the command line does. The
 * applications are those of whichever copy of the package the file imports.
 */
export interface ApplicationHost {
  /** Whether a developer is the only one to see what goes wrong: errors are not masked unless an application says so. */
  readonly isDevelopment?: boolean;
  /**
   * Whether applications are only looked at: none of their classes is constructed before it is asked for, no factory of a
   * provider runs and no hook.
   */
  readonly compilesOnly?: boolean;
  /**
   * Whether nobody but a developer reaches the applications: then every caller may see and do everything, and nobody has
   * to sign in. With `unless-local` an application that says by `auth.local` who calls from this machine is called by this caller.
   */
  readonly trustsCallers?: boolean | 'unless-local';
  /**
   * The application whose place the next one takes with {@link McpApplication.replaceWith}. Its singletons live on in the
   * next one, where their class and everything that they were injected is the same as before.
   */
  readonly predecessor?: object | undefined;
  /** What the explorer of its applications knows beyond them. */
  readonly explorer?: ExplorerHost | undefined;
  /** Called for each application that is ready, with the root module and the options that it was made of. */
  created(application: object, rootModule: unknown, options?: ApplicationOptions): void;
  /** Called by `app.listen()`. @param open does what `listen` does without a host */
  listen(
    application: object,
    options: HttpListenOptions,
    open: (options: HttpListenOptions) => Promise<HttpServing>,
  ): Promise<HttpServing>;
  /** Called by `app.stdio()`. @param open does what `stdio` does without a host */
  stdio(
    application: object,
    options: StdioListenOptions,
    open: (options: StdioListenOptions) => Promise<Serving>,
  ): Promise<Serving>;
  /** Called by `app.work()`, which works without it. @param open does what `work` does without a host */
  work?(
    application: object,
    options: WorkingOptions,
    open: (options: WorkingOptions) => Promise<Working>,
  ): Promise<Working>;
  /**
   * Called by `exposeNest()` of `toolwright/nest` before it does anything, for a host that looks at the routes itself. What
   * it gives is what `exposeNest()` gives; undefined lets it go on.
   */
  exposed?(nest: object, options: object): Promise<unknown> | undefined;
}

/** A host that compares what it serves with a lock, and swaps applications. Both are the bodies that the explorer sends. */
export interface ExplorerHost {
  /** How far the application differs from its lock. */
  lock(): Promise<object>;
  /** What runs of evals came to. Default: nobody looks for any. */
  evals?(): Promise<object>;
  /** Calls the listener with each swap and each failure of one; the returned function ends that. */
  listen(listener: (event: object) => void): () => void;
  /** The failure of the last swap; undefined where what was saved last is served. */
  readonly failure: object | undefined;
}

const HOST = Symbol.for('toolwright:host');
const holder = globalThis as { [HOST]?: ApplicationHost };

/**
 * Hands every application that is created from now on to the host, and all that is to be served.
 * @returns a function that ends it
 *
 * @example
 * const created: object[] = [];
 * const release = hostApplications({
 *   created: (application) => void created.push(application),
 *   listen: (application, options, open) => open({ ...options, port: 0 }),
 *   stdio: (application, options, open) => open(options),
 * });
 */
export function hostApplications(host: ApplicationHost): () => void {
  holder[HOST] = host;
  return () => {
    if (holder[HOST] === host) Reflect.deleteProperty(holder, HOST);
  };
}

/** Whether the host lets everybody do everything in an application. @param local what its option `auth` says of callers of this machine */
export function trustsEverybody(local: unknown): boolean {
  const trusts = currentHost()?.trustsCallers;
  return trusts === true || (trusts === 'unless-local' && typeof local !== 'function');
}

/** The host of this process, if it has one. */
export function currentHost(): ApplicationHost | undefined {
  return holder[HOST];
}
