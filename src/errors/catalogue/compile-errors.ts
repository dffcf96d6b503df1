export const compileErrors = {
  TW_COMPILE_NAME_TAKEN: 'Two tools of an application would be listed under the same name.',
} as const;
