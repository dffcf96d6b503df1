import type { ContentBlock as SdkContentBlock } from '@modelcontextprotocol/sdk/types.js';
import {
  audio,
  content,
  embeddedResource,
  image,
  resourceLink,
  text,
  type CallToolResult,
  type ContentBlock,
  type ResourceContents,
  type SampleBlock,
  type SampleResult,
} from 'toolwright';

declare const block: ContentBlock;
declare const sampled: SampleResult;
declare const result: CallToolResult;

// The type of a block says what it has.
if (block.type === 'text') block.text satisfies string;
if (block.type === 'image' || block.type === 'audio') `${block.mimeType},${block.data}` satisfies string;
if (block.type === 'resource_link') `${block.name} ${block.uri} ${block.title ?? ''}` satisfies string;
if (block.type === 'resource') block.resource satisfies ResourceContents;
result.content.flatMap((each) => (each.type === 'text' ? [each.text] : [])) satisfies string[];

// @ts-expect-error only a block of text has a text
block.text satisfies string;
// @ts-expect-error a kind that MCP does not have
if (block.type === 'video') block satisfies object;
// @ts-expect-error blocks are not changed
if (block.type === 'text') block.text = 'other';

/** Every kind has its case: the end is not reached. */
function nameOf(each: ContentBlock): string {
  switch (each.type) {
    case 'text':
      return each.text;
    case 'image':
    case 'audio':
      return each.mimeType;
    case 'resource_link':
      return each.name;
    case 'resource':
      return each.resource.uri;
  }
}
nameOf(block) satisfies string;

// What helpers make, what a hand writes and what the SDK has are blocks.
[
  text('a'),
  image('AQI=', 'image/png'),
  audio('AQI=', 'audio/wav'),
  resourceLink({ uri: 'page://a', name: 'a' }),
  embeddedResource({ uri: 'page://a', text: 'a' }),
] satisfies ContentBlock[];
content({ type: 'text', text: 'by hand', annotations: { audience: ['user'] }, _meta: { seen: true } });
text('a').type satisfies 'text';
image('AQI=', 'image/png').type satisfies 'image';
declare const foreign: SdkContentBlock;
if (foreign.type === 'text') ({ type: foreign.type, text: foreign.text }) satisfies ContentBlock;

// @ts-expect-error a picture needs its media type
content({ type: 'image', data: 'AQI=' });
// @ts-expect-error a kind that MCP does not have
content({ type: 'video', data: 'AQI=' });

// A model may want tools besides.
sampled.content satisfies readonly SampleBlock[];
for (const said of sampled.content) if (said.type === 'tool_use') said.input satisfies object;
