export const runtimeErrors = {
  TW_REGISTRY_NAME_TAKEN: 'Two tools of a registry or application have the same name.',
  TW_ATTACH_TARGET: 'Something was given to attach that is neither a Server nor a McpServer.',
  TW_ATTACH_CAPABILITY:
    'A connected server never declared the tools capability, so it cannot serve tools any more.',
  TW_ATTACH_REFUSED: 'A server refused both ways of registering request handlers.',
} as const;
