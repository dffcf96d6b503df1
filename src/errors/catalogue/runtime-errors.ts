export const runtimeErrors = {
  TW_REGISTRY_NAME_TAKEN: 'Two tools of a registry or application have the same name.',
  TW_REGISTRY_NOT_A_TOOL: 'Something was registered that is no tool builder.',
  TW_REGISTRY_OPTION: 'An option of a registry or a filter is unknown, or has a value that it cannot have.',
  TW_REGISTRY_NAME_UNKNOWN: 'A tool was replaced, enabled or disabled that is not registered.',
  TW_REGISTRY_ACTION_UNKNOWN: 'An action was enabled or disabled that its tool does not have.',
  TW_ATTACH_TARGET: 'Something was given to attach that is neither a Server nor a McpServer.',
  TW_ATTACH_CAPABILITY:
    'A connected server never declared the tools capability, so it cannot serve tools any more.',
  TW_ATTACH_REFUSED: 'A server refused both ways of registering request handlers.',
  TW_TASK_UNDECLARED: 'A handler became a task, and its action does not say that it might.',
  TW_OFFER_UNKNOWN: 'A prompt or resource was enabled or disabled that does not exist.',
} as const;
