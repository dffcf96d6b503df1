import type { Tool as CurrentTool } from '@modelcontextprotocol/client';
import type { Tool as AnthropicTool } from '@anthropic-ai/sdk/resources/messages';
import type { FunctionDeclaration, Tool as GeminiTool } from '@google/genai';
import type { Tool as SdkTool } from '@modelcontextprotocol/sdk/types.js';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { FunctionTool } from 'openai/resources/responses/responses';
import type { McpTool, Tool } from 'toolwright/formats';

/** Compiles only when every name is a member of the provider's type. */
declare function members<Sdk>(...names: readonly (keyof Sdk)[]): void;

members<FunctionTool>('type', 'name', 'description', 'parameters', 'strict', 'output_schema');
members<ChatCompletionFunctionTool>('type', 'function');
members<ChatCompletionFunctionTool['function']>('name', 'description', 'parameters', 'strict');
members<AnthropicTool>(
  'name',
  'description',
  'input_schema',
  'strict',
  'input_examples',
  'cache_control',
  'type',
  'defer_loading',
  'allowed_callers',
  'eager_input_streaming',
);
members<GeminiTool>('functionDeclarations');
members<FunctionDeclaration>(
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
  'behavior',
);
members<SdkTool>(
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  '_meta',
);
members<CurrentTool>(
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  '_meta',
);

/** The tools of both SDK lines are tools of the canonical model as they are. */
declare const first: SdkTool;
declare const current: CurrentTool;
declare function take(tool: Tool): McpTool;
take(first);
take(current);
