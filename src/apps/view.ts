import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { ViewFile, SaidView, ViewOptions } from '../features/views/view-options.ts';
import { copyOptions } from '../metadata/copy-options.ts';
import { methodDecorator } from '../metadata/decorator-target.ts';
import { appendRecord } from '../metadata/records.ts';

/**
 * Shows the results of an action in a view: a page that hosts with MCP Apps show beside the conversation. The action is a
 * tool of its own on every surface, as hosts know views of tools alone. One action declares the page; others name its URI.
 * Clients without views get the same tools without it, so that a result has to make sense as a text.
 *
 * @param uri begins with `ui://`; without one the options say who may call the action
 * @throws ToolwrightError TW_VIEW_FILE where the file cannot be read
 * @example
 * import { View } from 'toolwright/apps';
 *
 * class TasksController {
 *   @Action('Show the board')
 *   @ReadOnly()
 *   @View('ui://tasks/board', { file: new URL('board.html', import.meta.url), prefersBorder: true })
 *   board() {
 *     return { columns: [] };
 *   }
 *
 *   @Action('Move a task')
 *   @View({ visibility: ['app'] })
 *   move(input: TaskRef) {}
 * }
 */
export function View(uri: string, options?: ViewOptions): MethodDecorator;
export function View(options: Pick<ViewOptions, 'visibility'>): MethodDecorator;
export function View(first: string | ViewOptions, second: ViewOptions = {}): MethodDecorator {
  const decorator = '@View';
  const { file, ...given } = typeof first === 'string' ? { uri: first, ...second } : first;
  const said: SaidView = file === undefined ? given : { ...given, html: pageIn(file) };
  const options = copyOptions(said);
  return methodDecorator(decorator, (target, member) => {
    appendRecord(target, { kind: 'feature', feature: 'views', decorator, member, options });
  });
}

/** What the view of an action gets as `structuredContent`, for the code of the page: `ViewResult<TasksController, 'board'>`. */
export type ViewResult<Controller, Name extends keyof Controller> = Controller[Name] extends (
  ...args: never[]
) => infer Result
  ? Awaited<Result>
  : never;

/** A file that is read at the start, and again after it has changed. */
class WatchedFile implements ViewFile {
  text: string;
  readonly #file: string | URL;
  #changedAt: number;

  constructor(file: string | URL) {
    this.#file = file;
    // First: what changes in between is read again
    this.#changedAt = statSync(file).mtimeMs;
    this.text = readFileSync(file, 'utf8');
  }

  async read(): Promise<string> {
    const { mtimeMs } = await stat(this.#file);
    if (mtimeMs === this.#changedAt) return this.text;
    const text = await readFile(this.#file, 'utf8');
    this.#changedAt = mtimeMs;
    return (this.text = text);
  }
}

function pageIn(file: string | URL): ViewFile {
  try {
    return new WatchedFile(file);
  } catch (cause) {
    throw new ToolwrightError('TW_VIEW_FILE', {
      where: '@View',
      what: `cannot read its page: ${cause instanceof Error ? cause.message : String(cause)}.`,
      fix: "file: new URL('view.html', import.meta.url)",
    });
  }
}
