export const compileErrors = {
  TW_COMPILE_NAME_TAKEN: 'Two tools of an application would be listed under the same name.',
  TW_COMPILE_HEADER: 'An argument is declared as a header that cannot carry it.',
} as const;
