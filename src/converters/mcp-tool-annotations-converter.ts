import { createToolAnnotations, type ToolAnnotations } from '../model/tool-annotations.ts';
import { ToolAnnotationsConverterBase } from './tool-annotations-converter-base.ts';
import type { WireToolAnnotations } from './wire.ts';
import { withoutUndefined } from './wire-members.ts';

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
