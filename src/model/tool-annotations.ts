/**
 * What a tool says about its own behaviour (spec: server/tools, Tool Annotations). Hints, never guarantees.
 *
 * @example
 * tool.toolAnnotations = createToolAnnotations({ readOnlyHint: true });
 */
export class ToolAnnotations {
  title: string | undefined;
  readOnlyHint: boolean | undefined;
  destructiveHint: boolean | undefined;
  idempotentHint: boolean | undefined;
  openWorldHint: boolean | undefined;
  /** Not part of MCP: the result is for the user as it is, without another turn of the model. */
  returnDirect: boolean | undefined;
}

/**
 * Makes {@link ToolAnnotations}; changing `props` afterwards has no effect on them.
 *
 * @example
 * createToolAnnotations({ title: 'Delete a task', destructiveHint: true });
 */
export function createToolAnnotations(props: Partial<ToolAnnotations>): ToolAnnotations {
  const annotations = new ToolAnnotations();
  annotations.title = props.title;
  annotations.readOnlyHint = props.readOnlyHint;
  annotations.destructiveHint = props.destructiveHint;
  annotations.idempotentHint = props.idempotentHint;
  annotations.openWorldHint = props.openWorldHint;
  annotations.returnDirect = props.returnDirect;
  return annotations;
}
