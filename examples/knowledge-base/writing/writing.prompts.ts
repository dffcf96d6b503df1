import {
  assistantMessage,
  Complete,
  embeddedResource,
  Injectable,
  Prompt,
  ToolError,
  userMessage,
  type CompletionContext,
  type EmbeddedResourceBlock,
  type PromptMessage,
} from 'toolwright';
import { uriOf } from '../folder/page-path.ts';
import { PageIndex } from '../pages/page-index.ts';
import { ComparePages, SummarizePage, TONES } from './inputs.ts';

const LANGUAGES = ['English', 'French', 'German', 'Italian', 'Japanese', 'Portuguese', 'Spanish'];

@Injectable()
export class WritingPrompts {
  constructor(private readonly index: PageIndex) {}

  @Prompt({ title: 'Summarize a page', description: 'A summary in a language and a tone' })
  summarize({ path, language, tone }: SummarizePage): readonly PromptMessage[] {
    return userMessage([
      this.#embed(path),
      `Summarize this page in three sentences. Write ${language}, and sound ${tone}.`,
    ]);
  }

  @Prompt({
    title: 'Compare two pages',
    description: 'What they agree on, and where they contradict each other',
  })
  compare({ first, second }: ComparePages): readonly PromptMessage[] {
    return [
      ...userMessage([this.#embed(first), this.#embed(second), 'Do these two pages contradict each other?']),
      assistantMessage('I compare them statement by statement.'),
    ];
  }

  @Complete('summarize', 'path')
  @Complete('compare', 'first')
  paths(typed: string): readonly string[] {
    return beginningWith(
      typed,
      this.index.pages.map(({ path }) => path),
    );
  }

  @Complete('compare', 'second')
  otherPaths(typed: string, context: CompletionContext): readonly string[] {
    return this.paths(typed).filter((path) => path !== context.arguments['first']);
  }

  @Complete('summarize', 'language')
  languages(typed: string): readonly string[] {
    return beginningWith(typed, LANGUAGES);
  }

  @Complete('summarize', 'tone')
  tones(typed: string): readonly string[] {
    return beginningWith(typed, TONES);
  }

  #embed(path: string): EmbeddedResourceBlock {
    const page = this.index.get(path);
    if (page === undefined) throw new ToolError('UNKNOWN_PAGE', `There is no page "${path}"`);
    return embeddedResource({ uri: uriOf(path), mimeType: 'text/markdown', text: page.text });
  }
}

function beginningWith(typed: string, values: readonly string[]): readonly string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}
