import type {
  Annotations as SdkAnnotations,
  Icon as SdkIcon,
  Prompt as SdkPrompt,
  PromptArgument as SdkPromptArgument,
  Resource as SdkResource,
  ResourceTemplate as SdkResourceTemplate,
  Role as SdkRole,
  Tool as SdkTool,
  ToolAnnotations as SdkToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { Group, McpGroupConverter, McpToolConverter, type Prompt, type Role, Tool } from 'toolwright/model';
import type {
  WireAnnotations,
  WireGroup,
  WireIcon,
  WirePrompt,
  WirePromptArgument,
  WireResource,
  WireResourceTemplate,
  WireTool,
  WireToolAnnotations,
} from 'toolwright/model';
import type { ToolDefinition } from '../../src/compile/tools/compiled-tool.ts';

/** Compiles only with arguments of types that are assignable to each other. */
declare function mutual<TWire extends TSdk, TSdk>(...check: [TSdk] extends [TWire] ? [] : ['not back']): void;

mutual<WireTool, SdkTool>();
mutual<WireToolAnnotations, SdkToolAnnotations>();
mutual<WirePrompt, SdkPrompt>();
mutual<WirePromptArgument, SdkPromptArgument>();
mutual<WireResource, SdkResource>();
mutual<WireResourceTemplate, SdkResourceTemplate>();
mutual<WireIcon, SdkIcon>();
mutual<WireAnnotations, SdkAnnotations>();
mutual<Role, SdkRole>();

// @ts-expect-error a tool without an input schema is none of the SDK's
mutual<Omit<WireTool, 'inputSchema'>, SdkTool>();

declare const definition: ToolDefinition;
declare const group: Group;
declare const wireGroup: WireGroup;

// A frozen definition, too, is something to read a tool from.
new McpToolConverter().convertToTool(definition) satisfies Tool;
new McpToolConverter().convertFromTools(group.childTools) satisfies SdkTool[];
new McpGroupConverter().convertToGroup(wireGroup) satisfies Group;

group.parent satisfies Group | null;
group.getRoot().childTools satisfies readonly Tool[];
group.childGroups satisfies readonly Group[];
new Tool('list').parentGroups satisfies readonly Group[];

class Section extends Group {
  readonly heading = 'section';
}
new Section('a').addChildGroup(new Group('b'));
new Section('a').childGroups satisfies readonly Group[];
// @ts-expect-error a child may be any group
mutual<Section['childGroups'], readonly Section[]>();

// @ts-expect-error the lists change only by add… and remove…
group.childTools satisfies Tool[];
// @ts-expect-error a name never changes
group.name = 'other';
// @ts-expect-error a prompt is not a tool
mutual<Prompt, Tool>();
// @ts-expect-error leaves take only a name
new Tool('list', '/');
