import {
  Action,
  content,
  Destructive,
  Idempotent,
  ReadOnly,
  ToolContext,
  ToolError,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { PageFolder } from '../folder/page-folder.ts';
import { PageReference } from '../folder/page-path.ts';
import { DeletePage, Overwrite, SearchPages, WritePage } from './inputs.ts';
import { PageIndex, type Progress } from './page-index.ts';
import { linkTo } from './page.ts';

@ToolGroup({ name: 'pages', title: 'Pages', description: 'Find and keep the pages of the knowledge base' })
export class PagesController {
  constructor(
    private readonly folder: PageFolder,
    private readonly index: PageIndex,
  ) {}

  @Action('Find pages by their words; gives links to read them by')
  @ReadOnly()
  search({ words }: SearchPages): CallToolResult {
    const found = this.index.find(words);
    return content(`${found.length} pages contain "${words}"`, ...found.map(linkTo));
  }

  @Action('Write a page; the user is asked before one is changed')
  @Destructive()
  async write({ path, text }: WritePage, ctx: ToolContext): Promise<CallToolResult> {
    if ((await this.folder.read(path)) === undefined) await this.folder.create(path, text);
    else {
      const answer = await ctx.ask(Overwrite, `There is a page "${path}" already. What becomes of its text?`);
      if (answer.action !== 'accept') return notDone(answer.action, `"${path}" is as it was`);
      // People take their time: the page may be another one by now.
      if (answer.content.mode === 'append') await this.folder.append(path, `\n${text}`);
      else await this.folder.replace(path, text);
    }
    return this.#kept(path);
  }

  @Action('Delete a page; the user is asked before')
  @Destructive()
  async delete({ path }: PageReference, ctx: ToolContext): Promise<CallToolResult> {
    if ((await this.folder.read(path)) === undefined) throw unknownPage(path);
    const answer = await ctx.ask(DeletePage, `Delete the page "${path}"?`);
    if (answer.action !== 'accept') return notDone(answer.action, `"${path}" is still there`);
    if (!answer.content.isSure) return notDone('decline', `"${path}" is still there`);
    await this.folder.remove(path);
    await this.index.refresh();
    return content(`The page "${path}" is gone`);
  }

  @Action('Read all pages again; reports how far it is')
  @Idempotent()
  async *reindex(): AsyncGenerator<Progress, string> {
    const count = yield* this.index.rebuild();
    return `${count} pages are indexed`;
  }

  async #kept(path: string): Promise<CallToolResult> {
    await this.index.refresh();
    const page = this.index.get(path);
    return content(`The page "${path}" is kept`, ...(page === undefined ? [] : [linkTo(page)]));
  }
}

/** To decline is an answer; who cancels has not decided yet. */
function notDone(action: 'decline' | 'cancel', state: string): CallToolResult {
  return action === 'decline'
    ? content(`The user does not want that, and ${state}. Do not try it again.`)
    : content(`The user did not answer, and ${state}. Ask what to do instead.`);
}

function unknownPage(path: string): ToolError {
  return new ToolError('UNKNOWN_PAGE', `There is no page "${path}"`, {
    suggestion: 'search for it first',
    availableActions: ['search'],
  });
}
