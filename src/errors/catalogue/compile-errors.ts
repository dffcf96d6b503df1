export const compileErrors = {
  TW_COMPILE_NAME_TAKEN: 'Two tools of an application would be listed under the same name.',
  TW_COMPILE_TOOL_NAME: 'A tool would be listed under a name that clients and models may refuse.',
  TW_COMPILE_HEADER: 'An argument is declared as a header that cannot carry it.',
} as const;
