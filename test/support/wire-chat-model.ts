import { BaseChatModel, type BindToolsInput } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A chat model of LangChain that speaks OpenAI's Chat Completions API: its own package needs Node 22. */
export class WireChatModel extends BaseChatModel {
  readonly #url: string;
  readonly #tools: readonly object[];

  constructor(url: string, tools: readonly object[] = []) {
    super({ maxRetries: 0 });
    this.#url = url;
    this.#tools = tools;
  }

  override _llmType(): string {
    return 'wire';
  }

  override bindTools(tools: BindToolsInput[]): WireChatModel {
    return new WireChatModel(
      this.#url,
      tools.map((tool) => convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0])),
    );
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const body = JSON.stringify({
      model: 'scripted',
      tools: this.#tools,
      messages: messages.map(writeMessage),
    });
    const response = await fetch(`${this.#url}/chat/completions`, { method: 'POST', body });
    const { choices } = (await response.json()) as {
      choices: [{ message: { content: string | null; tool_calls?: readonly WireCall[] } }];
    };
    const { content, tool_calls: calls = [] } = choices[0].message;
    const message = new AIMessage({
      content: content ?? '',
      tool_calls: calls.map(({ id, function: { name, arguments: args } }) => ({
        ...{ type: 'tool_call', id, name },
        args: JSON.parse(args) as Record<string, unknown>,
      })),
    });
    return { generations: [{ text: content ?? '', message }] };
  }
}

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', tool: 'tool' };

function writeMessage(message: BaseMessage): object {
  const { content } = message;
  return {
    role: ROLES[message.type] ?? 'system',
    content: typeof content === 'string' ? content : JSON.stringify(content),
    ...(message.type === 'tool' ? { tool_call_id: (message as ToolMessage).tool_call_id } : {}),
  };
}
