import { Tool } from '../model/group.ts';
import { type ToolAnnotations, createToolAnnotations } from '../model/values.ts';
import { deepCopy } from '../shared/deep-freeze.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import { ConverterBase, requireWritten } from './converter-base.ts';
import { readBase, wireObject, withoutUndefined } from './wire-members.ts';
import type { ReadonlyWire, WireSchema, WireTool, WireToolAnnotations } from './wire.ts';

/**
 * The base of converters of tools. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class ToolNames extends ToolConverterBase<string> {
 *   override convertFromTool(tool: Tool) { return tool.name; }
 * }
 */
export abstract class ToolConverterBase<TTarget> extends ConverterBase<Tool, TTarget> {
  override convertFrom(tool: Tool): TTarget {
    requireWritten(this, ToolConverterBase.prototype, 'convertFrom', 'convertFromTool');
    return this.convertFromTool(tool);
  }

  convertFromTool(tool: Tool): TTarget {
    requireWritten(this, ToolConverterBase.prototype, 'convertFromTool', 'convertFrom');
    return this.convertFrom(tool);
  }

  override convertTo(target: TTarget): Tool {
    requireWritten(this, ToolConverterBase.prototype, 'convertTo', 'convertToTool');
    return this.convertToTool(target);
  }

  convertToTool(target: TTarget): Tool {
    requireWritten(this, ToolConverterBase.prototype, 'convertToTool', 'convertTo');
    return this.convertTo(target);
  }

  convertFromTools(tools: readonly Tool[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(tools);
  }

  convertToTools(targets: readonly TTarget[]): Tool[] {
    return this.convertToBatch(targets);
  }
}

/**
 * The base of converters of tool annotations. A subclass writes the generic singles or the aliased ones;
 * every other name forwards to what it wrote.
 *
 * @throws ToolwrightError `TW_MODEL_CONVERTER` from a direction that the subclass does not write.
 * @example
 * class ReadOnlyFlags extends ToolAnnotationsConverterBase<boolean> {
 *   override convertFromToolAnnotation(annotations: ToolAnnotations) { return annotations.readOnlyHint === true; }
 * }
 */
export abstract class ToolAnnotationsConverterBase<TTarget> extends ConverterBase<ToolAnnotations, TTarget> {
  override convertFrom(annotations: ToolAnnotations): TTarget {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertFrom', 'convertFromToolAnnotation');
    return this.convertFromToolAnnotation(annotations);
  }

  convertFromToolAnnotation(annotations: ToolAnnotations): TTarget {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertFromToolAnnotation', 'convertFrom');
    return this.convertFrom(annotations);
  }

  override convertTo(target: TTarget): ToolAnnotations {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertTo', 'convertToToolAnnotation');
    return this.convertToToolAnnotation(target);
  }

  convertToToolAnnotation(target: TTarget): ToolAnnotations {
    requireWritten(this, ToolAnnotationsConverterBase.prototype, 'convertToToolAnnotation', 'convertTo');
    return this.convertTo(target);
  }

  convertFromToolAnnotations(annotations: readonly ToolAnnotations[]): NonNullable<TTarget>[] {
    return this.convertFromBatch(annotations);
  }

  convertToToolAnnotations(targets: readonly TTarget[]): ToolAnnotations[] {
    return this.convertToBatch(targets);
  }
}

/**
 * Tool annotations ↔ the `annotations` of an MCP tool.
 *
 * @example
 * new McpToolAnnotationsConverter().convertFromToolAnnotation(createToolAnnotations({ readOnlyHint: true }));
 * // { readOnlyHint: true }
 */
export class McpToolAnnotationsConverter extends ToolAnnotationsConverterBase<WireToolAnnotations> {
  override convertFromToolAnnotation(annotations: ToolAnnotations): WireToolAnnotations {
    return withoutUndefined({
      title: annotations.title,
      readOnlyHint: annotations.readOnlyHint,
      destructiveHint: annotations.destructiveHint,
      idempotentHint: annotations.idempotentHint,
      openWorldHint: annotations.openWorldHint,
      returnDirect: annotations.returnDirect,
    });
  }

  override convertToToolAnnotation(wire: WireToolAnnotations): ToolAnnotations {
    return createToolAnnotations(wire);
  }
}

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
