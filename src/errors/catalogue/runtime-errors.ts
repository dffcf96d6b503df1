export const runtimeErrors = {
  TW_REGISTRY_NAME_TAKEN: 'Two tools of a registry or application have the same name.',
  TW_REGISTRY_NAME_UNKNOWN: 'A tool was replaced, enabled or disabled that is not registered.',
  TW_REGISTRY_ACTION_UNKNOWN: 'An action was enabled or disabled that its tool does not have.',
  TW_ATTACH_TARGET: 'Something was given to attach that is neither a Server nor a McpServer.',
  TW_ATTACH_CAPABILITY:
    'A connected server never declared the tools capability, so it cannot serve tools any more.',
  TW_ATTACH_REFUSED: 'A server refused both ways of registering request handlers.',
} as const;
