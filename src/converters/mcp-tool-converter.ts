import { Tool } from '../model/group.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import { McpToolAnnotationsConverter } from './mcp-tool-annotations-converter.ts';
import { ToolConverterBase } from './tool-converter-base.ts';
import type { ReadonlyWire, WireSchema, WireTool } from './wire.ts';
import { readBase, wireObject } from './wire-members.ts';

const annotationsConverter = new McpToolAnnotationsConverter();

/**
 * Tools ↔ the tools of MCP's `tools/list`. A tool without an input schema gets `{ type: 'object' }`,
 * because MCP requires one. Both ways copy: the two forms never share a schema.
 *
 * @example
 * const tools = new McpToolConverter().convertFromTools(group.childTools);
 */
export class McpToolConverter extends ToolConverterBase<WireTool> {
  override convertFromTool(tool: Tool): WireTool {
    return wireObject(tool, {
      inputSchema: wireSchema(tool.inputSchema ?? { type: 'object' }),
      outputSchema: tool.outputSchema && wireSchema(tool.outputSchema),
      annotations:
        tool.toolAnnotations && annotationsConverter.convertFromToolAnnotation(tool.toolAnnotations),
    });
  }

  override convertToTool(wire: ReadonlyWire<WireTool>): Tool {
    const tool = new Tool(wire.name);
    readBase(tool, wire);
    tool.inputSchema = readSchema(wire.inputSchema);
    tool.outputSchema = wire.outputSchema && readSchema(wire.outputSchema);
    tool.toolAnnotations = wire.annotations && annotationsConverter.convertToToolAnnotation(wire.annotations);
    return tool;
  }
}

// The two types differ in nothing but readonly lists, and the copy belongs to the caller.
function wireSchema(schema: ObjectSchema): WireSchema {
  return deepCopy(schema) as WireSchema;
}

function readSchema(schema: ReadonlyWire<WireSchema>): ObjectSchema {
  return deepCopy(schema) as ObjectSchema;
}
