import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './hooks-thread.ts';
import { SourceHooks, type LoaderEvent, type ResolvedModule } from './source-hooks.ts';
import { loadTransform, shownPath, withoutFrames } from './transform.ts';

/** The hooks of this process, once they are there. */
export interface RegisteredHooks {
  /** Resolves when everything that happened so far is reported. */
  settle(): Promise<void>;
  /** From now on, imports of these files get the URL of their version. */
  setVersions(versions: ReadonlyMap<string, number>): Promise<void>;
}

interface HookContext {
  readonly parentURL?: string;
}

/** `registerHooks`, of which the types of Node 20 know nothing. */
interface SynchronousHooks {
  resolve(
    specifier: string,
    context: HookContext,
    next: (specifier: string, context: HookContext) => ResolvedModule,
  ): ResolvedModule;
  load(url: string, context: HookContext, next: (url: string, context: HookContext) => unknown): unknown;
}

/** @param report gets the files that are loaded, where somebody wants to replace them */
export async function registerHooks(report?: (event: LoaderEvent) => void): Promise<RegisteredHooks> {
  process.setSourceMapsEnabled(true);
  const helpers = ownUrl('decorator-helpers.js');
  const register = hasSoundHooks(process.versions.node)
    ? (nodeModule as { readonly registerHooks?: (hooks: SynchronousHooks) => void }).registerHooks
    : undefined;
  if (register === undefined) return registerThread(helpers, report);
  const hooks = new SourceHooks({ transform: await loadTransform(), helpers, report });
  register({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      let module: ResolvedModule;
      try {
        module = next(specifier, context);
      } catch (error) {
        module = hooks.rescue(error, specifier, parentURL);
      }
      return hooks.resolved(module, parentURL);
    },
    load: (url, context, next) => hooks.load(url) ?? next(url, context),
  });
  return {
    settle: async () => undefined,
    setVersions: async (versions) => {
      hooks.versions = versions;
    },
  };
}

/** A resolve hook broke named exports of CommonJS packages before (nodejs/node#59011). */
function hasSoundHooks(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 19;
  return major === 24 ? minor >= 5 : major > 24;
}

function registerThread(helpers: string, report?: (event: LoaderEvent) => void): RegisteredHooks {
  const { port1, port2 } = new MessageChannel();
  const data: ThreadData = { helpers, port: report && port2 };
  try {
    nodeModule.register(ownUrl('hooks-thread.js'), { data, transferList: report ? [port2] : [] });
  } catch (error) {
    throw asLoaderError(error);
  }
  return new HooksThread(port1, report ?? (() => undefined));
}

/** The other end of hooks that run in the thread of Node. */
class HooksThread implements RegisteredHooks {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  constructor(port: MessagePort, report: (event: LoaderEvent) => void) {
    this.#port = port;
    port.on('message', (message: ThreadAnswer) => {
      if (message.kind !== 'answer') return report(message);
      this.#waiting.get(message.id)?.();
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) port.unref();
    });
    port.unref();
  }

  settle(): Promise<void> {
    return this.#send({});
  }

  setVersions(versions: ReadonlyMap<string, number>): Promise<void> {
    return this.#send({ versions });
  }

  #send(content: Omit<ThreadRequest, 'id'>): Promise<void> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#port.ref();
      this.#port.postMessage({ id, ...content } satisfies ThreadRequest);
    });
  }
}

/** A file of the loader, by the name of the package, because a bundler moves what asks for it. */
function ownUrl(name: string): string {
  return new URL(`./${name}`, import.meta.resolve('toolwright/register')).href;
}

const CODES = /^TW_LOADER_/;

/** Errors of hooks in a thread of their own arrive as copies without their class. */
export function asLoaderError(thrown: unknown): unknown {
  if (ToolwrightError.is(thrown) || !(thrown instanceof Error)) return thrown;
  const { code, where, what, why, fix, message } = thrown as Partial<ToolwrightError>;
  if (code === undefined || !CODES.test(code)) return missingExport(thrown) ?? thrown;
  const facts = { where: where ?? '', what: what ?? '', why, fix: fix ?? '', message: message ?? '' };
  return withoutFrames(new ToolwrightError(code, facts));
}

/** Node's words for an import of a name that is not there at run time; the first line of the stack is its place. */
const NOT_EXPORTED = /^The requested module '(.+)' does not provide an export named '(.+)'$/;

function missingExport(error: Error): ToolwrightError | undefined {
  const [, specifier, name] = (error instanceof SyntaxError && NOT_EXPORTED.exec(error.message)) || [];
  if (specifier === undefined || name === undefined) return undefined;
  const [place = ''] = (error.stack ?? '').split('\n');
  const [, file = '', line = ''] = /^(.*?)(?:\?tw=\d+)?(:\d+)$/.exec(place) ?? [];
  return withoutFrames(
    new ToolwrightError('TW_LOADER_EXPORT', {
      where: `${shownPath(file.startsWith('file:') ? fileURLToPath(file) : file)}${line}`,
      what: `imports ${name} from '${specifier}', which exports no such value.`,
      why: 'interfaces and aliases do not exist at run time, and one file alone does not show what is one.',
      fix: `import type { ${name} } from '${specifier}' where it is a type; otherwise correct the name`,
      cause: error,
    }),
  );
}
